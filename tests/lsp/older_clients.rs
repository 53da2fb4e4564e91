//! Clients without Markdown.

use serde_json::{Value, json};

use crate::server::client::{Client, full};

const URI: &str = "file:///older.psl";
const TEXT: &str =
    "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A}\nwhere symbol[N] == A:\n    mark[N] = A\n";

/// The capabilities of an editor with all features, of which one has another value.
fn with(path: &str, value: &Value) -> Value {
    let mut capabilities = full(&["utf-16"]);
    let place = capabilities.pointer_mut(path).expect("a capability");
    *place = value.clone();
    capabilities
}

fn opened(capabilities: &Value) -> Client {
    let mut client = Client::greeted(capabilities);
    client.open(URI, TEXT);
    client
}

fn at(line: usize, column: usize) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": column}})
}

/// The hover of a register.
fn hover(client: &mut Client) -> Value {
    client.request("textDocument/hover", &at(3, 5)).expect("a hover")["contents"].clone()
}

/// The documentation of a completion in a condition.
fn documentation(client: &mut Client) -> Value {
    let list = client.request("textDocument/completion", &at(2, 8)).expect("completions");
    let items = list["items"].as_array().expect("a list").iter();
    let item = items.clone().find(|item| !item["data"].is_null()).expect("an item with documentation");
    client.request("completionItem/resolve", item).expect("the item")["documentation"].clone()
}

/// The documentation of a signature and of its first parameter.
fn signature(client: &mut Client) -> [Value; 2] {
    let help = client.request("textDocument/signatureHelp", &at(2, 10)).expect("help");
    let form = &help["signatures"][0];
    [form["documentation"].clone(), form["parameters"][0]["documentation"].clone()]
}

fn kind(markup: &Value) -> &str {
    markup["kind"].as_str().unwrap_or_else(|| panic!("{markup}"))
}

#[test]
fn a_format_is_markdown_if_the_client_prefers_it() {
    let hovers = "/textDocument/hover/contentFormat";
    let completions = "/textDocument/completion/completionItem/documentationFormat";
    let signatures = "/textDocument/signatureHelp/signatureInformation/documentationFormat";
    let check = |formats: Value, expected: &str| {
        let mut client = opened(&with(hovers, &formats));
        let hover = hover(&mut client);
        assert_eq!(kind(&hover), expected, "{formats}");
        assert_eq!(hover["value"].as_str().is_some_and(|text| text.contains("**")), expected == "markdown", "{hover}");
        assert_eq!(kind(&documentation(&mut client)), "markdown");
        client.finish();
        let mut client = opened(&with(completions, &formats));
        let documentation = documentation(&mut client);
        assert_eq!(kind(&documentation), expected, "{formats}");
        client.finish();
        let mut client = opened(&with(signatures, &formats));
        for documentation in signature(&mut client) {
            assert_eq!(kind(&documentation), expected, "{formats}");
        }
        client.finish();
    };
    check(json!(["markdown", "plaintext"]), "markdown");
    check(json!(["html", 7, "markdown"]), "markdown");
    check(json!(["plaintext", "markdown"]), "plaintext");
    check(json!(["plaintext"]), "plaintext");
    check(json!([]), "plaintext");
    check(Value::Null, "plaintext");
}

#[test]
fn a_hover_in_plain_text_has_the_same_words() {
    let mut client = opened(&with("/textDocument/hover/contentFormat", &json!(["plaintext"])));
    let expected = "register `mark`, short name `m`\n\nvalues before layer 1: A or null\n\n\
                    written by:\n\n- layer 1 · line 3\n\nread by: no layer";
    let text = hover(&mut client)["value"].as_str().expect("a text").to_owned();
    let (text, reference) = text.split_once("\n\nReference: Registers (").expect("a link");
    assert_eq!(text, expected);
    assert!(reference.starts_with("file://") && reference.ends_with(')'), "{reference}");
    client.finish();
}

//! Clients without Markdown, or without code actions.

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
    assert!(reference.contains(":/") && reference.ends_with(')'), "{reference}");
    client.finish();
}

/// Opens the program with an unknown constant, and returns the code actions there.
fn actions(client: &mut Client) -> Vec<Value> {
    client.change(URI, 2, &[json!({"text": TEXT.replace("= A\n", "= B\n")})]);
    let at = json!({"line": 3, "character": 14});
    let params = json!({
        "textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": {"diagnostics": []},
    });
    client.request("textDocument/codeAction", &params).expect("actions").as_array().expect("a list").clone()
}

/// A client without code actions, whose first command is returned.
fn without_actions() -> (Client, Value) {
    let mut client = opened(&with("/textDocument/codeAction/codeActionLiteralSupport", &Value::Null));
    let command = actions(&mut client).remove(0);
    (client, command)
}

fn execute(client: &mut Client, command: &Value) -> Result<Value, Value> {
    client
        .request("workspace/executeCommand", &json!({"command": command["command"], "arguments": command["arguments"]}))
}

#[test]
fn a_client_without_code_actions_gets_commands_that_apply_their_edits() {
    let mut newer = opened(&full(&["utf-16"]));
    let literals = actions(&mut newer);
    assert!(!literals.is_empty());
    newer.finish();
    let mut client = opened(&with("/textDocument/codeAction/codeActionLiteralSupport", &Value::Null));
    let commands = actions(&mut client);
    assert_eq!(commands.len(), literals.len());
    for (command, literal) in commands.iter().zip(&literals) {
        assert_eq!(command["title"], literal["title"]);
        assert_eq!(execute(&mut client, command), Ok(Value::Null));
        let asked = client.wait(|message| message["method"] == "workspace/applyEdit");
        assert_eq!(asked["params"], json!({"label": literal["title"], "edit": literal["edit"]}));
        // The answer arrives before the next command.
        client.request("textDocument/hover", &at(0, 0)).expect("an answer");
    }
    client.finish();
}

#[test]
fn the_greeting_offers_options_to_clients_that_know_them() {
    let provider = |capabilities: &Value| {
        let mut client = Client::start();
        let params = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
        let capabilities = client.greet(&params)["capabilities"].clone();
        client.finish();
        ["codeActionProvider", "renameProvider"].map(|provider| capabilities[provider].clone())
    };
    let [actions, renames] = provider(&full(&["utf-16"]));
    assert!(actions["codeActionKinds"].is_array() && renames["prepareProvider"] == true);
    assert_eq!(provider(&json!({})), [json!(true), json!(true)]);
}

#[test]
fn a_client_without_lists_of_kinds_gets_the_first_kinds() {
    const FIRST: u64 = 18;
    let kinds = |capabilities: &Value| {
        let mut client = Client::greeted(capabilities);
        client.open(URI, &format!("//@ test \"A\" => \"A\"\n{TEXT}"));
        let list = client.request("textDocument/completion", &at(4, 14)).expect("completions")["items"].clone();
        let document = json!({"textDocument": {"uri": URI}});
        let symbols = client.request("textDocument/documentSymbol", &document).expect("symbols");
        let found = client.request("workspace/symbol", &json!({"query": ""})).expect("symbols");
        client.finish();
        [list, symbols, found].map(|list| {
            let kinds = list.as_array().expect("a list").iter().map(|it| it["kind"].as_u64().expect("a kind"));
            kinds.max().expect("a kind")
        })
    };
    assert!(kinds(&full(&["utf-16"])).iter().all(|kind| *kind > FIRST));
    assert!(kinds(&json!({})).iter().all(|kind| *kind <= FIRST));
}

#[test]
fn edits_of_an_earlier_version_are_not_applied() {
    let (mut client, command) = without_actions();
    client.change(URI, 3, &[json!({"text": format!("# new\n{TEXT}")})]);
    let error = execute(&mut client, &command).expect_err("a refusal");
    assert_eq!(error["message"], "the program has changed since: open the list of code actions again");
    client.finish();
}

#[test]
fn a_client_that_does_not_apply_edits_says_so() {
    let (mut client, command) = without_actions();
    client.answers = false;
    execute(&mut client, &command).expect("it is requested");
    let asked = client.wait(|message| message["method"] == "workspace/applyEdit");
    let error = execute(&mut client, &command).expect_err("a refusal");
    assert_eq!(error["message"], "the editor has not answered the last edit");
    client.send(json!({"id": asked["id"], "result": {"applied": false, "failureReason": "it is read-only"}}));
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    assert_eq!(shown["params"], json!({"type": 2, "message": "the editor did not apply the edits: it is read-only"}));
    execute(&mut client, &command).expect("it is requested");
    client.answers = true;
    client.finish();
}

#[test]
fn a_client_without_code_actions_that_cannot_apply_edits_gets_no_edits() {
    let mut capabilities = with("/textDocument/codeAction/codeActionLiteralSupport", &Value::Null);
    capabilities["workspace"]["applyEdit"] = json!(false);
    let mut client = opened(&capabilities);
    assert_eq!(actions(&mut client), Vec::<Value>::new());
    client.finish();
}

//! Capabilities of LSP 3.18: results for clients with them, and for older clients.

use std::time::Duration;

use serde_json::{Value, json};

use crate::server::client::{Client, full};

const URI: &str = "file:///newer.psl";
const GUARDS: &str = "registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}\nconstants: {A, B, C}\n\
                      system: {symbol: symbol, position: position, output: mark}\n\
                      where symbol[N] == A and copy[N] != B and position[n] == position[N]@pos_decrement:\n    \
                      mark[N] = symbol[n]\nwhere copy[N] != B and symbol[N] == A:\n    copy[N] = C\n";

/// The capabilities of a client, with some of them set.
fn with(set: &[&str]) -> Value {
    let mut capabilities = full(&["utf-16"]);
    for path in set {
        let mut place = &mut capabilities;
        for key in path.split('/') {
            place = &mut place[key];
        }
        *place = json!(true);
    }
    capabilities
}

fn opened(capabilities: &Value, text: &str) -> Client {
    let mut client = Client::greeted(capabilities);
    client.open(URI, text);
    client
}

/// The edit of the action at the start of a line whose title starts with `title`.
fn action(client: &mut Client, line: usize, column: usize, title: &str) -> Value {
    let at = json!({"line": line, "character": column});
    let params = json!({
        "textDocument": {"uri": URI}, "range": {"start": at, "end": at}, "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", &params).expect("actions");
    let found = actions.as_array().expect("a list").iter();
    let titled = |action: &&Value| action["title"].as_str().is_some_and(|it| it.starts_with(title));
    found.clone().find(titled).unwrap_or_else(|| panic!("no `{title}` in {actions}"))["edit"].clone()
}

/// The snippets of an edit.
fn snippets(edit: &Value) -> Vec<&str> {
    let change = &edit["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": URI, "version": 1}));
    let edits = change["edits"].as_array().expect("edits").iter();
    edits
        .map(|edit| {
            assert_eq!(edit["snippet"]["kind"], "snippet");
            edit["snippet"]["value"].as_str().expect("a text")
        })
        .collect()
}

#[test]
fn an_extracted_register_is_a_placeholder() {
    let mut client = opened(&with(&["workspace/workspaceEdit/snippetEditSupport"]), GUARDS);
    let edit = action(&mut client, 3, 0, "Extract");
    let all = snippets(&edit).concat();
    assert_eq!(all.matches("${1:guard}").count(), 5, "{all}");
    assert!(all.contains("${1:guard}: 'g'"), "{all}");
    client.finish();
    let mut older = opened(&full(&["utf-16"]), GUARDS);
    let edit = action(&mut older, 3, 0, "Extract");
    assert!(edit["changes"][URI].is_array() && edit["documentChanges"].is_null(), "{edit}");
    older.finish();
}

#[test]
fn a_declared_name_gets_the_cursor() {
    let text =
        "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n\nwhere symbol[N] == A:\n    symbol[N] = '$B'\n";
    for (text, expected) in [(text, "'\\$B'$0"), (&text.replace("'$B'", "C"), "C$0")] {
        let mut client = opened(&with(&["workspace/workspaceEdit/snippetEditSupport"]), text);
        let edit = action(&mut client, 4, 17, "Declare constant");
        let all = snippets(&edit).concat();
        assert_eq!(all.matches("$0").count(), 1, "{all}");
        assert!(all.contains(expected), "{all}");
        client.finish();
    }
}

#[test]
fn messages_are_markdown() {
    let text = "//@ test \"A\" => \"B\"\n//@ max-new 1\nregisters: {symbol: 's', position: 'p', x_: 'x'}\nconstants: {A, B, '*'}\n\
                where symbol[N] == A:\n    symbol[N] = '*'\n";
    let message = |capabilities: &Value, method: &str| {
        let mut client = opened(capabilities, text);
        let published = client.wait(|message| {
            let found = message["params"]["diagnostics"].as_array().into_iter().flatten();
            found.clone().any(|it| it["code"] == "failing-test")
        });
        let answer = match method {
            "textDocument/diagnostic" => {
                client.request(method, &json!({"textDocument": {"uri": URI}})).expect("a report")["items"].clone()
            }
            _ => published["params"]["diagnostics"].clone(),
        };
        let found = answer.as_array().expect("diagnostics").iter();
        let message = found.clone().find(|it| it["code"] == "failing-test").expect("the test")["message"].clone();
        client.finish();
        message
    };
    let plain = "this test fails: expected `B`, got `*`; symbol 1 is `*`, not `B`: layer 1 wrote it in cell 1\n\
                 help: fix the program, or change the expected continuation";
    let markdown = "this test fails: expected `B`, got `*`; symbol 1 is `*`, not `B`: layer 1 wrote it in cell 1\n\n\
                    - line 5: `symbol` of cell 1 is set to `*` here\n\n\
                    help: fix the program, or change the expected continuation";
    for method in ["textDocument/diagnostic", "textDocument/publishDiagnostics"] {
        assert_eq!(message(&full(&["utf-16"]), method), json!(plain));
        let newer = with(&["textDocument/diagnostic/markupMessageSupport"]);
        assert_eq!(message(&newer, method), json!({"kind": "markdown", "value": markdown}));
    }
}

#[test]
fn compiled_programs_are_documents() {
    let mut capabilities = full(&["utf-16"]);
    capabilities["workspace"]["textDocumentContent"] = json!({"dynamicRegistration": true});
    let mut client = opened(&capabilities, GUARDS);
    let show = json!({"command": "psl.compile", "arguments": [{"uri": URI, "emit": "weights", "show": true}]});
    let shown = client.request("workspace/executeCommand", &show).expect("an address")["uri"].clone();
    assert_eq!(shown, "psl:/weights/newer.weights.txt?program=file%3A%2F%2F%2Fnewer.psl");
    let asked = client.wait(|message| message["method"] == "window/showDocument");
    assert_eq!(asked["params"], json!({"uri": shown, "takeFocus": false}));
    let text = |client: &mut Client| {
        let content = client.request("workspace/textDocumentContent", &json!({"uri": shown}));
        content.map(|content| content["text"].as_str().expect("a text").to_owned())
    };
    let before = text(&mut client).expect("weights");
    let compile = json!({"command": "psl.compile", "arguments": [{"uri": URI, "emit": "weights"}]});
    let compiled = client.request("workspace/executeCommand", &compile).expect("weights");
    assert_eq!(compiled["text"].as_str(), Some(before.as_str()));
    // An edit refreshes it, and a program that does not compile is refused, so that the client keeps the last text.
    client.change(URI, 2, &[json!({"text": GUARDS.replace("copy[N] = C", "copy[N] = A")})]);
    let refresh = client.wait(|message| message["method"] == "workspace/textDocumentContent/refresh");
    assert_eq!(refresh["params"], json!({"uri": shown}));
    assert_ne!(text(&mut client).expect("weights"), before);
    client.change(URI, 3, &[json!({"text": "where"})]);
    assert!(text(&mut client).is_err());
    // A document that nobody has requested is not refreshed.
    let other = json!({"uri": "psl:/other/newer?program=file%3A%2F%2F%2Fnewer.psl"});
    let error = client.request("workspace/textDocumentContent", &other).expect_err("an unknown kind");
    assert!(error["message"].as_str().expect("words").ends_with("is not a document of this server"), "{error}");
    client.finish();
}

#[test]
fn a_client_that_answers_no_refresh_gets_one() {
    let mut capabilities = full(&["utf-16"]);
    capabilities["workspace"]["textDocumentContent"] = json!({});
    let mut client = opened(&capabilities, GUARDS);
    let content = json!({"uri": "psl:/qkvl/newer.qkvl.json?program=file%3A%2F%2F%2Fnewer.psl"});
    client.request("workspace/textDocumentContent", &content).expect("QKVL");
    client.answers = false;
    let mut refreshes = 0;
    for version in 2..5 {
        client.change(URI, version, &[json!({"text": format!("# {version}\n{GUARDS}")})]);
        let messages = client.until_quiet(Duration::from_millis(600)).into_iter();
        refreshes += messages.filter(|it| it["method"] == "workspace/textDocumentContent/refresh").count();
    }
    assert_eq!(refreshes, 1);
    client.finish();
}

#[test]
fn an_older_client_cannot_show_documents() {
    let mut client = opened(&full(&["utf-16"]), GUARDS);
    let show = json!({"command": "psl.compile", "arguments": [{"uri": URI, "show": true}]});
    let error = client.request("workspace/executeCommand", &show).expect_err("a refusal");
    assert_eq!(error["message"], "the editor cannot show documents of the server");
    client.finish();
}

#[test]
fn layers_in_a_hover_are_links_for_a_client_that_opens_them() {
    let text =
        "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n# one\nwhere symbol[N] == A:\n    symbol[N] = A\n";
    let hover = |options: Value| {
        let mut client = Client::start();
        let capabilities = full(&["utf-16"]);
        client.greet(&json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options}));
        let uri = "file:///links/a%20(b).psl";
        client.open(uri, text);
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 3, "character": 8}});
        let hover = client.request("textDocument/hover", &at).expect("a hover");
        client.finish();
        hover["contents"]["value"].as_str().expect("Markdown").to_owned()
    };
    assert!(hover(json!({"linkLines": true})).contains("- [layer 1](file:///links/a%20%28b%29.psl#L4) · one\n"));
    assert!(hover(Value::Null).contains("- layer 1 · one\n"));
}

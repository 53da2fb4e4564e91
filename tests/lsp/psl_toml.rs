//! A `psl.toml` in the editor, through the server's pipe: diagnostics, completion, hover, and its effect on programs.

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    binary::{code, err, out, psl, psl_in},
    server::{
        self,
        client::{Client, full},
    },
};

const PROGRAM: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const BROKEN: &str = "stop = 1\n[severity]\nunused-constnt = 'off'\n";

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A folder with a program and a broken `psl.toml`, and their URIs.
fn setup() -> (TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a folder");
    fs::write(path.join("a.psl"), PROGRAM).expect("a file");
    fs::write(path.join("psl.toml"), BROKEN).expect("a file");
    let (program, config) = (uri(&path.join("a.psl")), uri(&path.join("psl.toml")));
    (folder, program, config)
}

/// A client that gets published diagnostics.
fn client_with_push() -> Client {
    let mut capabilities = full(&["utf-16"]);
    capabilities["textDocument"].as_object_mut().expect("an object").remove("diagnostic");
    Client::greeted(&capabilities)
}

/// The next published diagnostics of a document, as `line: message`.
fn next(client: &mut Client, uri: &str) -> Vec<String> {
    let wanted =
        |message: &Value| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
    lines(&client.wait(wanted)["params"]["diagnostics"])
}

fn lines(diagnostics: &Value) -> Vec<String> {
    let line = |found: &Value| {
        format!("{}: {}", found["range"]["start"]["line"], found["message"].as_str().expect("a message"))
    };
    diagnostics.as_array().expect("a list").iter().map(line).collect()
}

fn at(uri: &str, line: usize, character: usize) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

const WRONG: [&str; 2] = [
    "0: `stop` must be one symbol, such as `stop = \".\"`",
    "2: unknown diagnostic `unused-constnt`; did you mean `unused-constant`?",
];

#[test]
fn all_errors_are_published_while_editing() {
    let (_folder, _, config) = setup();
    let mut client = client_with_push();
    client.open(&config, BROKEN);
    assert_eq!(next(&mut client, &config), WRONG);
    client.change(&config, 2, &[json!({"text": "stop = '!'\n[paths]\nexclude = ['[z-a]']\n"})]);
    assert_eq!(next(&mut client, &config), ["2: error parsing glob '[z-a]': invalid range; 'z' > 'a'"]);
    client.change(&config, 3, &[json!({"text": "stop = '!'\n"})]);
    assert_eq!(next(&mut client, &config), [""; 0]);
    client.finish();
}

#[test]
fn errors_can_be_pulled() {
    let (_folder, _, config) = setup();
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.open(&config, BROKEN);
    let report =
        client.request("textDocument/diagnostic", &json!({"textDocument": {"uri": config}})).expect("a report");
    assert_eq!(lines(&report["items"]), WRONG);
    client.finish();
}

#[test]
fn an_open_one_has_its_own_diagnostics_and_a_closed_one_those_found_by_its_programs() {
    let (_folder, program, config) = setup();
    let mut client = client_with_push();
    client.open(&program, PROGRAM);
    assert_eq!(next(&mut client, &config), WRONG);
    client.open(&config, "stop = 2\n");
    assert_eq!(next(&mut client, &config), [WRONG[0]]);
    client.close(&config);
    assert_eq!(next(&mut client, &config), WRONG);
    client.finish();
}

#[test]
fn saving_it_checks_the_programs() {
    let (folder, program, config) = setup();
    let mut client = client_with_push();
    client.open(&program, PROGRAM);
    assert_eq!(next(&mut client, &program), ["1: constant `B` is never used\nhelp: remove it, or use it"]);
    client.open(&config, BROKEN);
    let fixed = "severity.unused-constant = 'off'\n";
    client.change(&config, 2, &[json!({"text": fixed})]);
    fs::write(folder.path().join("psl.toml"), fixed).expect("a file");
    client.notify("textDocument/didSave", &json!({"textDocument": {"uri": config}}));
    assert_eq!(next(&mut client, &program), [""; 0]);
    client.finish();
}

#[test]
fn a_setting_that_inherits_uses_its_level() {
    let (folder, program, _) = setup();
    fs::write(folder.path().join("psl.toml"), "severity.unused-constant = 'hint'\n").expect("a file");
    let mut client = client_with_push();
    client.open(&program, PROGRAM);
    let mut severity = |set: &str| {
        let settings = json!({"psl": {"severity": {"unused-constant": set, "syntax": "inherit"}}});
        client.notify("workspace/didChangeConfiguration", &json!({"settings": settings}));
        // Only the last published diagnostics matter.
        let received = client.until_quiet(Duration::from_millis(500));
        assert!(received.iter().all(|message| message["method"] != "window/showMessage"), "{received:?}");
        let published = received.iter().rfind(|message| message["method"] == "textDocument/publishDiagnostics");
        published.expect("diagnostics")["params"]["diagnostics"][0]["severity"].clone()
    };
    assert_eq!(["inherit", "error", "inherit"].map(&mut severity), [json!(4), json!(1), json!(4)]);
    client.finish();
}

#[test]
fn the_server_registers_for_settings_if_the_client_supports_it() {
    for can in [true, false] {
        let mut capabilities = server::client::full(&["utf-16"]);
        capabilities["workspace"]["didChangeConfiguration"]["dynamicRegistration"] = can.into();
        let mut client = server::client::Client::greeted(&capabilities);
        let registered = |message: &Value| {
            let registration = &message["params"]["registrations"][0];
            message["method"] == "client/registerCapability"
                && registration["method"] == "workspace/didChangeConfiguration"
                && registration["registerOptions"] == json!({"section": "psl"})
        };
        assert_eq!(client.until_quiet(Duration::from_millis(500)).iter().any(registered), can);
        client.finish();
    }
}

#[test]
fn completion_and_hover_know_its_keys() {
    let (_folder, _, config) = setup();
    let mut client = client_with_push();
    client.open(&config, "[severity]\nnon-causal = \"\"\nst\n");
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer["items"].as_array().expect("items").iter();
        items.map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    };
    let levels = client.request("textDocument/completion", &at(&config, 1, 14)).expect("completions");
    assert_eq!(labels(&levels), ["\"error\"", "\"warning\"", "\"info\"", "\"hint\"", "\"off\""]);
    let codes = client.request("textDocument/completion", &at(&config, 2, 2)).expect("completions");
    assert!(labels(&codes).contains(&"stale-prev".to_owned()));
    let resolved = client.request("completionItem/resolve", &codes["items"][0]).expect("an item");
    assert!(resolved["documentation"]["value"].as_str().is_some_and(|text| !text.is_empty()));
    let hover = client.request("textDocument/hover", &at(&config, 1, 3)).expect("a hover");
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|text| text.contains("looks ahead") || text.contains("right")),
        "{hover}"
    );
    assert_eq!(client.request("textDocument/codeLens", &at(&config, 0, 0)), Ok(Value::Null));
    assert_eq!(
        client.request(
            "textDocument/formatting",
            &json!({"textDocument": {"uri": config}, "options": {"tabSize": 4, "insertSpaces": true}})
        ),
        Ok(Value::Null)
    );
    client.finish();
}

#[test]
fn all_errors_are_reported_on_the_command_line() {
    let (folder, ..) = setup();
    let checked = psl_in(folder.path(), &["check", "a.psl"], b"");
    assert_eq!(code(&checked), 2);
    for (place, wrong) in [("1:8", WRONG[0]), ("3:1", WRONG[1])] {
        let (_, message) = wrong.split_once(": ").expect("a line");
        assert!(
            err(&checked)
                .lines()
                .any(|line| line.starts_with("psl: ") && line.ends_with(&format!("psl.toml:{place}: {message}"))),
            "{}",
            err(&checked)
        );
    }
}

#[test]
fn the_schema_lists_all_keys_and_codes() {
    let schema: Value = serde_json::from_str(&out(&psl(&["schema"]))).expect("JSON");
    let keys =
        |table: &Value| -> Vec<String> { table["properties"].as_object().expect("a table").keys().cloned().collect() };
    assert_eq!(keys(&schema), ["max-file-size", "paths", "severity", "stop"]);
    assert_eq!(keys(&schema["properties"]["paths"]), ["exclude", "include"]);
    let severities = &schema["properties"]["severity"];
    assert_eq!(keys(severities), psl_syntax::Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
    assert_eq!(severities["properties"]["syntax"]["enum"], json!(["error"]));
    assert_eq!(severities["properties"]["non-causal"]["enum"].as_array().map(Vec::len), Some(5));
}

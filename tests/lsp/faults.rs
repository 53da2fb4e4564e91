//! The server with clients that are broken, fast, slow or gone.

use std::{
    collections::BTreeMap,
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::server::{
    client::{Client, full},
    text::{Encoding, range},
};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const NOT_INITIALIZED: i64 = -32002;
const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

const PARGEN: &str = include_str!("../../examples/pargen.psl");
const SMALL: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const URI: &str = "file:///faults/program.psl";
const SOON: Duration = Duration::from_millis(300);

fn greeted() -> Client {
    Client::greeted(&full(&["utf-16"]))
}

fn opened(text: &str) -> Client {
    let mut client = greeted();
    client.open(URI, text);
    client
}

fn at(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 8}})
}

/// The server's text of a document.
fn text(client: &mut Client, uri: &str) -> Value {
    client.request("psl/text", &json!({"uri": uri})).expect("the server sends the text")["text"].take()
}

fn code(answer: Result<Value, Value>) -> i64 {
    answer.expect_err("an error")["code"].as_i64().expect("a number")
}

/// A message with a correct header.
fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

/// Types a character somewhere and deletes it with the next edit, both in the server's document and in its own text.
struct Typist {
    uri: String,
    text: String,
    version: i64,
    typed: Option<usize>,
}

impl Typist {
    fn open(client: &mut Client, uri: &str, text: &str) -> Self {
        client.open(uri, text);
        Self { uri: uri.to_owned(), text: text.to_owned(), version: 1, typed: None }
    }

    fn edit(&mut self, client: &mut Client) {
        self.version += 1;
        let (start, end, new) = if let Some(start) = self.typed.take() {
            (start, start + 1, "")
        } else {
            let mut start = (self.version.unsigned_abs() as usize * 7919) % self.text.len();
            while !self.text.is_char_boundary(start) {
                start -= 1;
            }
            self.typed = Some(start);
            (start, start, "x")
        };
        let range = range(&self.text, start, end, Encoding::Utf16);
        client.change(&self.uri, self.version, &[json!({"range": range, "text": new})]);
        self.text.replace_range(start..end, new);
    }
}

/// The resident memory of a process, in KiB.
fn resident(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("the resident memory");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

// Invalid messages.

/// Sends invalid bytes, then checks the server's errors and that it still answers.
fn check(bytes: &[u8], errors: &[i64]) {
    let mut client = opened(SMALL);
    client.published(URI, 1);
    client.send_bytes(bytes);
    assert_eq!(text(&mut client, URI), SMALL, "{}", String::from_utf8_lossy(bytes));
    let codes: Vec<_> =
        client.until_quiet(SOON).iter().filter_map(|message| message["error"]["code"].as_i64()).collect();
    assert_eq!(codes, errors, "{}", String::from_utf8_lossy(bytes));
    client.finish();
}

#[test]
fn invalid_json_is_refused_and_the_server_continues() {
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": "), &[PARSE_ERROR]);
    check(&framed(b"{]"), &[PARSE_ERROR]);
    check(&framed(b""), &[PARSE_ERROR]);
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"method\": \"caf\xe9\"}"), &[PARSE_ERROR]);
    check(&framed(b"\xff\xfe\0\0"), &[PARSE_ERROR]);
    check(&framed("[".repeat(100_000).as_bytes()), &[PARSE_ERROR]);
}

#[test]
fn json_that_is_not_a_message_is_refused_and_the_server_continues() {
    check(&framed(b"null"), &[INVALID_REQUEST]);
    check(&framed(b"[]"), &[INVALID_REQUEST]);
    check(&framed(b"{}"), &[INVALID_REQUEST]);
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": 7}"), &[INVALID_REQUEST]);
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"shutdown\"}"), &[INVALID_REQUEST]);
    check(&framed(b"{\"jsonrpc\": \"1.0\", \"id\": 7, \"method\": \"shutdown\"}"), &[INVALID_REQUEST]);
    // The protocol has no batches.
    check(&framed(b"[{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"shutdown\"}]"), &[INVALID_REQUEST]);
}

#[test]
fn a_response_without_a_request_is_ignored() {
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": null}"), &[]);
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"error\": {\"code\": 1, \"message\": \"no\"}}"), &[]);
    check(&framed(b"{\"jsonrpc\": \"2.0\", \"id\": null, \"result\": null}"), &[]);
}

#[test]
fn an_invalid_header_is_refused_and_the_server_continues() {
    check(b"nonsense", &[PARSE_ERROR]);
    check(b"\r\n\r\n", &[]);
    check(b"\0\xff\r\n\r\n", &[PARSE_ERROR]);
    check(b"Content-Length: two\r\n\r\n", &[PARSE_ERROR]);
    check(b"Content-Length: -2\r\n\r\n{}", &[PARSE_ERROR, PARSE_ERROR]);
    check(b"Content-Length: 99999999999999999999999\r\n\r\n", &[PARSE_ERROR]);
    check(b"Content-Length: 9223372036854775807\r\n\r\n", &[PARSE_ERROR]);
    check(b"Content-Length: 1073741824\r\n\r\n", &[PARSE_ERROR]);
    check(b"Content-Type: text/plain\r\n\r\n{}", &[PARSE_ERROR]);
}

/// Sends an edit with a header that is unusual or does not fit the body, and checks that the edit is applied.
fn check_edit(header: impl Fn(usize) -> String) {
    let mut client = opened(SMALL);
    let document = json!({"uri": URI, "version": 2});
    let params = json!({"textDocument": document, "contentChanges": [{"text": "# é🙂"}]});
    let body = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}).to_string();
    let header = header(body.len());
    client.send_bytes(format!("{header}\r\n\r\n{body}").as_bytes());
    assert_eq!(text(&mut client, URI), "# é🙂", "{header}");
    client.published(URI, 2);
    client.finish();
}

#[test]
fn an_unusual_header_is_understood() {
    check_edit(|length| format!("content-length: {length}"));
    check_edit(|length| format!("Content-Length:   {length}  "));
    check_edit(|length| format!("Content-Length: {length}\r\nX-Other: 1"));
    check_edit(|length| format!("X-Other: 1\r\nContent-Length: {length}"));
    check_edit(|length| format!("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {length}"));
    check_edit(|length| format!("Content-Length: {length}\r\nContent-Type: application/json; charset=latin-1"));
    check_edit(|length| format!("\r\n\r\nContent-Length: {length}"));
}

#[test]
fn a_wrong_length_loses_no_edit() {
    check_edit(|length| format!("Content-Length: {}", length - 1));
    check_edit(|length| format!("Content-Length: {}", length + 1));
    check_edit(|length| format!("Content-Length: {}", length + 100_000));
    check_edit(|length| format!("Content-Length: {}", length / 2));
    check_edit(|_| "Content-Length: 1".to_owned());
    check_edit(|_| "Content-Length: 67108864".to_owned());
}

#[test]
fn half_a_message_at_the_end_of_the_input_ends_the_server() {
    for half in [b"Content-Length: 100\r\n\r\n{\"jsonrpc\"".as_slice(), b"Content-Length: 1", b"Cont"] {
        let mut client = opened(SMALL);
        client.send_bytes(half);
        client.close_input();
        assert_eq!(client.ended().code(), Some(1));
    }
}

#[test]
fn a_message_that_is_too_long_is_refused_by_its_length() {
    let mut client = opened(SMALL);
    client.published(URI, 1);
    client.send_bytes(b"Content-Length: 1073741824\r\n\r\n{\"id\":7,\"method\":\"psl/text\",\"params\":\"");
    (0..16).for_each(|_| client.send_bytes(&vec![b'x'; 1 << 20]));
    client.send_bytes(b"\"}");
    assert_eq!(text(&mut client, URI), SMALL);
    let errors: Vec<_> =
        client.until_quiet(SOON).into_iter().filter_map(|message| message.get("error").cloned()).collect();
    let why = "a message of 1073741824 bytes is too long: the limit is 67108864";
    assert_eq!(errors, [json!({"code": PARSE_ERROR, "message": why})]);
    client.finish();
}

// Unusual documents.

#[test]
fn a_document_is_answered_under_the_uri_that_was_opened() {
    for uri in ["file:///faults/x/../y.psl", "file:///faults/x/%2e%2e/y.psl", "file:///faults/ä ö.psl"] {
        let mut client = greeted();
        client.open("file:///faults/y.psl", "");
        client.open(uri, SMALL);
        client.published(uri, 1);
        let edit = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 13}, "newName": "sym"});
        let renamed = client.request("textDocument/rename", &edit).expect("edits");
        assert!(renamed.to_string().contains(&json!(uri).to_string()), "{renamed}");
        let defined = client.request("textDocument/definition", &at(uri)).expect("a place");
        assert!(defined.to_string().contains(&json!(uri).to_string()), "{defined}");
        client.change(uri, 2, &[json!({"text": "A"})]);
        client.published(uri, 2);
        assert_eq!(text(&mut client, uri), "A");
        assert_eq!(text(&mut client, "file:///faults/y.psl"), "", "it is another document");
        client.close(uri);
        client.finish();
    }
    let mut client = opened(SMALL);
    assert_eq!(text(&mut client, "file:///faults/x/../program.psl"), SMALL, "another name of an open document");
    client.finish();
}

#[test]
fn an_older_version_is_logged() {
    let mut client = opened(SMALL);
    client.change(URI, 5, &[json!({"text": "A"})]);
    client.change(URI, 3, &[json!({"text": "B"})]);
    assert_eq!(text(&mut client, URI), "B");
    let logged = client.wait(|message| message["method"] == "window/logMessage");
    let words = format!("{URI}: applied a change with version 3 after version 5");
    assert_eq!(logged["params"], json!({"type": 2, "message": words}));
    client.finish();
}

// Invalid requests.

#[test]
fn invalid_parameters_are_refused_with_a_message() {
    let mut client = opened(SMALL);
    for (method, params) in [
        ("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}})),
        ("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": {"line": 1.5, "character": 0}})),
        (
            "textDocument/hover",
            json!({"textDocument": {"uri": URI}, "position": {"line": 4_294_967_296_u64, "character": 0}}),
        ),
        ("textDocument/hover", json!({"textDocument": {"uri": "no URI"}, "position": {"line": 0, "character": 0}})),
        ("textDocument/hover", json!({"position": {"line": 0, "character": 0}})),
        ("textDocument/hover", json!([])),
        ("textDocument/hover", Value::Null),
        ("textDocument/codeAction", json!({"textDocument": {"uri": URI}, "range": 7, "context": {"diagnostics": []}})),
        ("workspace/executeCommand", json!({"command": 7})),
        ("workspace/executeCommand", json!({"command": "psl.run", "arguments": [{"uri": URI, "test": {}}]})),
        ("workspace/executeCommand", json!({"command": "psl.run", "arguments": []})),
        ("workspace/executeCommand", json!({"command": "psl.noSuchCommand"})),
    ] {
        let error = client.request(method, &params).expect_err("it is refused");
        assert_eq!(error["code"], INVALID_PARAMS, "{method} {params}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 10), "{method} {params}: {error}");
    }
    assert_eq!(code(client.request("textDocument/noSuchMethod", &json!({}))), METHOD_NOT_FOUND);
    assert_eq!(code(client.request("$/noSuchMethod", &json!({}))), METHOD_NOT_FOUND);
    client.finish();
}

#[test]
fn an_invalid_notification_is_ignored() {
    let mut client = opened(SMALL);
    client.notify("textDocument/noSuchMethod", &json!({}));
    client.notify("$/noSuchMethod", &json!({}));
    client.notify("$/cancelRequest", &json!({"id": 4711}));
    client.notify("$/cancelRequest", &json!({"id": "no such request"}));
    client.notify("$/cancelRequest", &json!({}));
    client.notify("$/setTrace", &json!({"value": "verbose"}));
    client.notify("textDocument/didChange", &json!({}));
    client.notify("textDocument/didChange", &json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": 7}));
    client.change("file:///never-opened.psl", 2, &[json!({"text": "A"})]);
    client.close("file:///never-opened.psl");
    client.notify("textDocument/didSave", &json!({"textDocument": {"uri": URI}}));
    client.notify("textDocument/didSave", &json!({"textDocument": {"uri": "file:///never-opened.psl"}}));
    client.notify("workspace/didChangeConfiguration", &json!({"settings": null}));
    client.notify("workspace/didChangeWatchedFiles", &json!({"changes": [{"uri": "file:///a/psl.toml", "type": 2}]}));
    assert_eq!(text(&mut client, URI), SMALL);
    assert_eq!(client.request("psl/text", &json!({"uri": "file:///never-opened.psl"})), Ok(Value::Null));
    let answered = client.until_quiet(SOON).into_iter().find(|message| message.get("error").is_some());
    assert_eq!(answered, None, "a notification has no answer");
    client.finish();
}

#[test]
fn an_item_that_is_not_a_production_of_an_open_document_has_no_calls() {
    let mut client = opened(SMALL);
    let prepared = client.request("textDocument/prepareCallHierarchy", &at(URI)).expect("items");
    let check = |client: &mut Client, change: fn(&mut Value), expected: &Value| {
        let mut item = prepared[0].clone();
        change(&mut item);
        for method in ["callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"] {
            assert_eq!(client.request(method, &json!({"item": item})).as_ref(), Ok(expected), "{item}");
        }
    };
    check(&mut client, |_| {}, &json!([]));
    check(&mut client, |item| item["data"] = Value::Null, &Value::Null);
    check(&mut client, |item| item["data"] = json!({"digest": 1, "other": []}), &Value::Null);
    check(&mut client, |item| item["data"]["digest"] = json!("0"), &Value::Null);
    check(&mut client, |item| item["uri"] = json!("file:///faults/other.psl"), &Value::Null);
    client.close(URI);
    check(&mut client, |_| {}, &Value::Null);
    client.finish();
}

#[test]
fn two_requests_with_one_id_are_both_answered() {
    let mut client = opened(SMALL);
    for _ in 0..2 {
        client.send(json!({"id": "same", "method": "textDocument/hover", "params": at(URI)}));
    }
    for _ in 0..2 {
        client.wait(|message| message["id"] == "same");
    }
    client.finish();
}

// Start and end of the session.

#[test]
fn the_server_sends_no_request_before_its_response_to_initialize() {
    let mut client = Client::start();
    client.begin(
        "initialize",
        &json!({
            "processId": null,
            "rootUri": null,
            "capabilities": full(&["utf-16"]),
            "initializationOptions": {"severity": {"non-causal": "off"}, "inlayHints": {"values": false}},
        }),
    );
    let first = client.wait(|_| true);
    assert!(first["result"]["capabilities"].is_object(), "{first}");
    client.notify("initialized", &json!({}));
    client.finish();
}

#[test]
fn before_initialize_and_after_shutdown_requests_are_refused() {
    let mut client = Client::start();
    client.open(URI, SMALL);
    assert_eq!(code(client.request("textDocument/hover", &at(URI))), NOT_INITIALIZED);
    assert_eq!(code(client.request("shutdown", &Value::Null)), NOT_INITIALIZED);
    client.greet(&json!({"processId": null, "rootUri": null, "capabilities": {}}));
    let again = json!({"processId": null, "rootUri": null, "capabilities": {}});
    assert_eq!(code(client.request("initialize", &again)), INVALID_REQUEST);
    assert_eq!(
        client.request("psl/text", &json!({"uri": URI})),
        Ok(Value::Null),
        "documents opened before the session are unknown"
    );
    client.open(URI, SMALL);
    assert_eq!(text(&mut client, URI), SMALL);
    // Emacs sends `"params": null`.
    client.send(json!({"id": "end", "method": "shutdown", "params": null}));
    assert_eq!(client.wait(|message| message["id"] == "end").get("error"), None);
    assert_eq!(code(client.request("textDocument/hover", &at(URI))), INVALID_REQUEST);
    assert_eq!(code(client.request("shutdown", &Value::Null)), INVALID_REQUEST);
    client.notify("exit", &Value::Null);
    assert_eq!(client.ended().code(), Some(0));
}

#[test]
fn the_server_ends_with_its_editor() {
    let mut editor =
        Command::new(env!("CARGO_BIN_EXE_psl")).arg("lsp").stdin(Stdio::piped()).spawn().expect("a process to end");
    let mut client = Client::start();
    client.greet(&json!({"processId": editor.id(), "rootUri": null, "capabilities": {}}));
    client.open(URI, SMALL);
    client.published(URI, 1);
    editor.kill().expect("it ends");
    editor.wait().expect("it has ended");
    assert_eq!(client.ended().code(), Some(1));
}

#[test]
fn the_server_ends_if_its_editor_is_gone_at_the_start() {
    let mut editor =
        Command::new(env!("CARGO_BIN_EXE_psl")).arg("--version").stdout(Stdio::null()).spawn().expect("psl");
    editor.wait().expect("it has ended");
    let mut client = Client::start();
    client.begin("initialize", &json!({"processId": editor.id(), "rootUri": null, "capabilities": {}}));
    assert_eq!(client.ended().code(), Some(1));
}

// Load.

#[test]
fn a_client_that_never_answers_gets_its_answers() {
    let mut client = greeted();
    client.answers = false;
    let mut typist = Typist::open(&mut client, URI, PARGEN);
    for _ in 0..30 {
        let run = json!({"command": "psl.run", "arguments": [{"uri": URI, "test": 0}]});
        client.request("workspace/executeCommand", &run).expect("it runs");
        typist.edit(&mut client);
        typist.edit(&mut client);
    }
    client.published(URI, typist.version);
    assert_eq!(text(&mut client, URI), typist.text.as_str());
    let asked =
        client.until_quiet(SOON).into_iter().filter(|message| message["method"] == "workspace/codeLens/refresh");
    assert!(asked.count() > 0, "the server sent no refresh");
    client.finish();
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
fn ten_thousand_edits_without_a_pause_are_applied() {
    let mut client = greeted();
    let mut typist = Typist::open(&mut client, URI, PARGEN);
    for _ in 0..9_999 {
        typist.edit(&mut client);
    }
    // This edit also reverts the one before.
    let whole = json!({"text": PARGEN.replacen("region: 'r'", "regino: 'r'", 1)});
    typist.version += 1;
    client.change(URI, typist.version, &[whole]);
    assert!(text(&mut client, URI).as_str().is_some_and(|text| text.contains("regino: 'r'")));
    let last = client.published(URI, typist.version);
    assert!(last.iter().any(|found| found["code"] == "unknown-register"), "{last:?}");
    let versions: Vec<_> = client
        .until_quiet(SOON)
        .iter()
        .filter(|message| message["method"] == "textDocument/publishDiagnostics")
        .map(|message| message["params"]["version"].as_i64().expect("a version"))
        .collect();
    assert!(versions.is_sorted(), "diagnostics of an older version arrive after those of a newer one: {versions:?}");
    client.finish();
}

#[test]
fn diagnostics_of_an_outdated_version_are_not_published() {
    let mut client = opened(SMALL);
    let long = format!("{SMALL}{}", "where mark[n] == B:\n    mark[N] = other[n]\n".repeat(60_000));
    // After one of these pauses, the check of the edit has begun and has not ended.
    for (round, pause) in (1..).zip([10, 20, 40, 80, 160]) {
        let (outdated, newer) = (2 * round, 2 * round + 1);
        client.change(URI, outdated, &[json!({"text": long})]);
        thread::sleep(Duration::from_millis(pause));
        client.change(URI, newer, &[json!({"text": SMALL})]);
        let request = client.begin("psl/text", &json!({"uri": URI}));
        client.published(URI, newer);
        let messages = client.until_quiet(SOON / 10);
        let is_answer = |message: &Value| message["id"] == request && message.get("method").is_none();
        let answered = messages.iter().position(is_answer).expect("an answer from the newer version");
        let is_outdated = |message: &Value| message["params"]["version"] == outdated;
        assert!(!messages[answered..].iter().any(is_outdated), "{pause} ms");
    }
    client.finish();
}

#[test]
fn each_of_many_requests_is_answered_once_even_if_half_are_cancelled() {
    let mut client = greeted();
    let mut typist = Typist::open(&mut client, URI, PARGEN);
    let mut cancelled = BTreeMap::new();
    let mut first_since_edit = 0;
    for number in 0..200 {
        let (method, params) = match number % 4 {
            0 => ("textDocument/hover", at(URI)),
            1 => ("textDocument/completion", at(URI)),
            2 => ("textDocument/codeLens", json!({"textDocument": {"uri": URI}})),
            _ => ("workspace/executeCommand", json!({"command": "psl.tests", "arguments": [{"uri": URI}]})),
        };
        let id = client.begin(method, &params);
        cancelled.insert(id, number / 4 % 2 == 0);
        if cancelled[&id] {
            client.notify("$/cancelRequest", &json!({"id": id}));
        }
        if number % 10 == 0 {
            typist.edit(&mut client);
            typist.edit(&mut client);
            first_since_edit = id + 1;
        }
    }
    for (&id, &is_cancelled) in &cancelled {
        if let Err(error) = client.response(id) {
            let is_outdated = id < first_since_edit;
            let code = &error["code"];
            assert!((is_cancelled && code == CANCELLED) || (is_outdated && code == CONTENT_MODIFIED), "{id}: {error}");
        }
    }
    assert_eq!(text(&mut client, URI), typist.text.as_str());
    let more = client.until_quiet(SOON).into_iter().find(|message| message.get("method").is_none());
    assert_eq!(more, None, "each request is answered once");
    client.finish();
}

#[test]
fn a_client_that_stops_reading_for_a_while_gets_everything() {
    let mut client = greeted();
    let mut typist = Typist::open(&mut client, URI, PARGEN);
    let reading = std::sync::Arc::clone(&client.reading);
    let pause = reading.lock().expect("no test has failed");
    let mut asked = Vec::new();
    for _ in 0..1_000 {
        asked.push(client.begin("textDocument/codeLens", &json!({"textDocument": {"uri": URI}})));
        typist.edit(&mut client);
    }
    let newest = client.begin("textDocument/codeLens", &json!({"textDocument": {"uri": URI}}));
    drop(pause);
    for id in asked {
        if let Err(error) = client.response(id) {
            assert_eq!(error["code"], CONTENT_MODIFIED, "{error}");
        }
    }
    client.response(newest).expect("lenses");
    client.published(URI, typist.version);
    assert_eq!(text(&mut client, URI), typist.text.as_str());
    client.finish();
}

#[test]
fn fifty_open_files_are_kept_apart() {
    let mut client = greeted();
    let uris: Vec<String> = (0..50).map(|number| format!("file:///faults/{number}.psl")).collect();
    for (number, uri) in uris.iter().enumerate() {
        client.open(uri, &SMALL.replace("symbol[N] ==", &format!("wrong{number}[N] ==")));
    }
    for (number, uri) in uris.iter().enumerate() {
        let found = client.published(uri, 1);
        assert_eq!(found[0]["code"], "unknown-register", "{found:?}");
        let message = found[0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(&format!("`wrong{number}`")), "{found:?}");
    }
    for uri in &uris {
        client.change(uri, 2, &[json!({"text": SMALL})]);
    }
    for uri in &uris {
        let error = client.published(uri, 2).into_iter().find(|found| found["severity"] == 1);
        assert_eq!(error, None, "{uri}");
        assert!(client.request("textDocument/hover", &at(uri)).expect("a hover").is_object());
        client.close(uri);
        client.wait(|message| {
            let params = &message["params"];
            params["uri"] == uri.as_str()
                && params.get("version").is_none_or(Value::is_null)
                && params["diagnostics"] == json!([])
        });
        assert_eq!(client.request("psl/text", &json!({"uri": uri})), Ok(Value::Null));
    }
    client.finish();
}

#[test]
#[ignore = "takes long, so tests/run --long runs it"]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_edits() {
    let mut client = greeted();
    let mut typist = Typist::open(&mut client, URI, PARGEN);
    let mut edits = |client: &mut Client, pauses: usize, between: usize| {
        for _ in 0..pauses {
            for _ in 0..between {
                typist.edit(client);
            }
            client.published(URI, typist.version);
        }
        client.until_quiet(SOON);
        resident(client.process())
    };
    let (after_100, after_10_000) = (edits(&mut client, 100, 1), edits(&mut client, 990, 10));
    println!("{after_100} KiB after 100 edits, {after_10_000} KiB after 10,000");
    assert!(after_10_000 < 1.2 * after_100, "{after_100} KiB after 100 edits, {after_10_000} KiB after 10,000");
    client.finish();
}

//! Damaged and unusual messages: the server understands as much as possible, and reports every document whose text may
//! differ from the editor's.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::server::client::{Client, full};

const SMALL: &str =
    "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n";
const ONE: &str = "file:///damage/one.psl";
const OTHER: &str = "file:///damage/other.psl";
/// A message that may have opened a document.
const LOST_OPENING: &str = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"te"#;
const METHOD_NOT_FOUND: i64 = -32601;
const NOT_INITIALIZED: i64 = -32002;
const REQUEST_FAILED: i64 = -32803;

/// The server's text of a document.
fn text(client: &mut Client, uri: &str) -> Value {
    client.request("psl/text", &json!({"uri": uri})).expect("the server sends the text")["text"].take()
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The body of a message that types at the start of a document. `typed` is a JSON string without its quotes.
fn typing(uri: &str, version: i64, typed: &str) -> String {
    let start = r#"{"line":0,"character":0}"#;
    format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{uri}","version":{version}}},"contentChanges":[{{"range":{{"start":{start},"end":{start}}},"text":"{typed}"}}]}}}}"#
    )
}

fn hover(client: &mut Client, uri: &str) -> Result<Value, Value> {
    client
        .request("textDocument/hover", &json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 8}}))
}

/// Types JSON escapes, then types after them at the column that a client with this encoding has: `width` is the width
/// of a lone surrogate.
fn check_surrogate(encoding: &str, typed: &str, width: usize, expected: &str) {
    let mut client = Client::greeted(&full(&[encoding]));
    client.open(ONE, "# .\n");
    client.send_bytes(&framed(&typing(ONE, 2, typed)));
    let after = json!({"line": 0, "character": width});
    client.change(ONE, 3, &[json!({"range": {"start": after, "end": after}, "text": "|"})]);
    assert_eq!(text(&mut client, ONE), format!("{expected}|# .\n"), "{encoding} {typed}");
    client.finish();
}

#[test]
fn a_lone_surrogate_is_one_character() {
    for (encoding, width) in [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)] {
        check_surrogate(encoding, r"\ud83d", width, "\u{fffd}");
        check_surrogate(encoding, r"\uDE00", width, "\u{fffd}");
        check_surrogate(encoding, r"\ude00\ud83d", 2 * width, "\u{fffd}\u{fffd}");
        check_surrogate(encoding, r"\\ud83d", 7 - 1, r"\ud83d");
    }
    check_surrogate("utf-16", r"\ud83d\ude00", 2, "😀");
    check_surrogate("utf-16", r"\ud83d\ud83d\ude00", 3, "\u{fffd}😀");
}

#[test]
fn initialize_accepts_unknown_and_invalid_capabilities() {
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-64", 7, "utf-8"]},
        "workspace": {
            "workspaceEdit": {"resourceOperations": ["create", "transmute"], "failureHandling": "pray"},
            "diagnostics": {"refreshSupport": true},
        },
        "textDocument": {
            "hover": {"contentFormat": ["markdown", "hologram"]},
            "semanticTokens": {"tokenTypes": [3, "variable"], "tokenModifiers": "all", "formats": ["absolute"]},
            "foldingRange": {"foldingRangeKind": {"valueSet": ["poem"]}},
            "completion": {"completionItem": {"snippetSupport": "yes", "insertTextModeSupport": {"valueSet": [99]}}},
            "codeAction": 7,
        },
        "window": null,
    });
    let mut client = Client::start();
    let result = client.greet(&json!({
        "processId": "none", "rootUri": 7, "trace": "everything", "capabilities": capabilities,
        "workspaceFolders": [{"uri": "no URI"}, 7],
    }));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    client.open(ONE, SMALL);
    assert!(hover(&mut client, ONE).expect("a hover").is_object());
    client.finish();
    for params in [Value::Null, json!({}), json!({"capabilities": []}), json!([])] {
        let mut client = Client::start();
        client.greet(&params);
        client.finish();
    }
}

#[test]
fn a_truncated_change_is_reported_and_other_documents_are_unaffected() {
    let cut = typing(ONE, 2, "# é");
    for kept in (1..cut.len()).filter(|kept| cut.is_char_boundary(*kept)) {
        let mut client = Client::greeted(&full(&["utf-16"]));
        client.open(ONE, SMALL);
        client.open(OTHER, SMALL);
        let header = format!("Content-Length: {}\r\n\r\n", cut.len());
        client.send_bytes(&[header.as_bytes(), &cut.as_bytes()[..kept], &framed(&typing(OTHER, 2, "#"))].concat());
        assert_eq!(text(&mut client, OTHER), format!("#{SMALL}"), "truncated after {}", &cut[..kept]);
        let refused = hover(&mut client, ONE).expect_err("the text is uncertain");
        assert_eq!(refused["code"], REQUEST_FAILED, "{refused}");
        client.finish();
    }
}

#[test]
fn an_uncertain_document_is_reported_until_its_text_is_sent_again() {
    let lost = r#"Content-Length: 200\r\n\r\n{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"te"#;
    let lost = lost.replace(r"\r\n", "\r\n");
    let is_uncertain = |client: &mut Client| {
        let [only] = &client.published(ONE, 1)[..] else { panic!("expected one diagnostic") };
        assert!(only["message"].as_str().is_some_and(|message| message.contains("damaged")), "{only}");
        assert_eq!(hover(client, ONE).expect_err("it is refused")["code"], REQUEST_FAILED);
    };
    for again in ["change", "open"] {
        let mut client = Client::greeted(&full(&["utf-16"]));
        client.open(ONE, SMALL);
        client.published(ONE, 1);
        client.send_bytes(lost.as_bytes());
        client.send_bytes(&framed(r#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#));
        is_uncertain(&mut client);
        if again == "change" {
            client.change(ONE, 2, &[json!({"text": SMALL})]);
            assert_eq!(client.published(ONE, 2), Vec::<Value>::new());
        } else {
            client.close(ONE);
            client.open(ONE, SMALL);
        }
        assert!(hover(&mut client, ONE).expect("a hover").is_object());
        client.finish();
    }
}

#[test]
fn an_invalid_change_is_reported() {
    for params in [
        json!({"textDocument": {"uri": ONE, "version": 2}, "contentChanges": 7}),
        json!({"textDocument": {"uri": ONE, "version": 2}, "contentChanges": [{"range": 7, "text": ""}]}),
        json!({"contentChanges": []}),
    ] {
        let mut client = Client::greeted(&full(&["utf-16"]));
        client.open(ONE, SMALL);
        client.notify("textDocument/didChange", &params);
        let refused = hover(&mut client, ONE).expect_err("the text is uncertain");
        assert_eq!(refused["code"], REQUEST_FAILED, "{params}: {refused}");
        client.finish();
    }
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.send_bytes(&framed(LOST_OPENING));
    client.change(ONE, 2, &[json!({"text": SMALL})]);
    let published = client.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(published["params"]["diagnostics"].as_array().map(Vec::len), Some(1), "{published}");
    client.finish();
}

#[test]
fn the_report_of_a_lost_opening_is_cleared_when_the_document_is_opened() {
    let published = |client: &mut Client| {
        let message = client.wait(|message| message["method"] == "textDocument/publishDiagnostics");
        (message["params"]["uri"].clone(), message["params"]["diagnostics"].as_array().map(Vec::len))
    };
    let mut client = Client::greeted(&full(&["utf-16"]));
    // A client that pulls diagnostics gets no other message that clears published ones.
    client.request("textDocument/diagnostic", &json!({"textDocument": {"uri": OTHER}})).expect("diagnostics");
    client.send_bytes(&framed(LOST_OPENING));
    client.change(ONE, 2, &[json!({"text": SMALL})]);
    assert_eq!(published(&mut client), (ONE.into(), Some(1)));
    client.open(ONE, SMALL);
    assert_eq!(published(&mut client), (ONE.into(), Some(0)));
    client.finish();
}

#[test]
fn a_damaged_request_makes_no_document_uncertain() {
    let mut client = Client::greeted(&full(&["utf-16"]));
    client.open(ONE, SMALL);
    for lost in [r#"{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{]"#, "nonsense", "[", "null"] {
        client.send_bytes(&framed(lost));
        assert!(hover(&mut client, ONE).expect("a hover").is_object(), "{lost}");
    }
    client.finish();
}

#[test]
fn only_proper_messages_start_and_end_the_session() {
    let mut client = Client::start();
    let code = |answer: Result<Value, Value>| answer.expect_err("a refusal")["code"].as_i64();
    client.notify("initialize", &json!({"processId": null, "rootUri": null, "capabilities": {}}));
    assert_eq!(code(client.request("exit", &Value::Null)), Some(NOT_INITIALIZED));
    // A client may be newer than the server.
    let newer = json!({"textDocument": {"hover": {"contentFormat": ["html", 7]}}, "general": {"positionEncodings": 8}});
    let greeting = json!({"processId": "1", "trace": "loud", "capabilities": newer});
    client.request("initialize", &greeting).expect("capabilities");
    client.send(json!({"method": "initialized"}));
    client.open(ONE, SMALL);
    client.notify("shutdown", &Value::Null);
    assert_eq!(code(client.request("exit", &Value::Null)), Some(METHOD_NOT_FOUND));
    let closing = json!({"textDocument": {"uri": ONE}});
    assert_eq!(code(client.request("textDocument/didClose", &closing)), Some(METHOD_NOT_FOUND));
    assert_eq!(text(&mut client, ONE), SMALL);
    client.request("shutdown", &json!({})).expect("null");
    client.notify("exit", &Value::Null);
    assert_eq!(client.ended().code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_zombie_counts_as_an_editor_that_is_gone() {
    let mut editor =
        Command::new(env!("CARGO_BIN_EXE_psl")).arg("lsp").stdin(Stdio::piped()).spawn().expect("a process to end");
    let mut client = Client::start();
    client.greet(&json!({"processId": editor.id(), "rootUri": null, "capabilities": {}}));
    client.open(ONE, SMALL);
    client.published(ONE, 1);
    editor.kill().expect("it ends");
    // The process is a zombie until `wait`.
    assert_eq!(client.ended().code(), Some(1));
    editor.wait().expect("it has ended");
}

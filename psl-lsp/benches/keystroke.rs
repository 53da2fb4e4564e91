//! From a keystroke to the diagnostics that the server publishes for it, through the whole binary and its pipes.

#![allow(missing_docs, reason = "criterion_group! makes undocumented functions")]
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark may fail by panic")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};

const PARGEN: &str = include_str!("../../tests/programs/pargen.psl");
const URI: &str = "file:///pargen.psl";

struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    version: i64,
}

impl Editor {
    fn open(text: &str) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_psl"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let to = server.stdin.take().expect("a pipe");
        let from = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Self { server, to, from, version: 1 };
        editor.send(&json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}));
        while editor.receive().get("id").is_none() {}
        editor.send(&json!({"method": "initialized", "params": {}}));
        let document = json!({"uri": URI, "languageId": "psl", "version": 1, "text": text});
        editor.send(&json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
        editor.diagnostics();
        editor
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.to.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("the server writes");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a length"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).expect("the server writes");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Waits for the diagnostics of the current version.
    fn diagnostics(&mut self) -> usize {
        loop {
            let message = self.receive();
            if message["params"]["version"] == self.version {
                return message["params"]["diagnostics"].as_array().map_or(0, Vec::len);
            }
        }
    }

    /// Types or deletes one character in a production, and waits for the diagnostics.
    fn keystroke(&mut self, place: (usize, usize), insert: bool) -> usize {
        self.version += 1;
        let (line, column) = place;
        let end = if insert { column } else { column + 1 };
        let range = json!({"start": {"line": line, "character": column}, "end": {"line": line, "character": end}});
        let change = json!({"range": range, "text": if insert { "x" } else { "" }});
        let document = json!({"uri": URI, "version": self.version});
        self.send(&json!({
            "method": "textDocument/didChange",
            "params": {"textDocument": document, "contentChanges": [change]},
        }));
        self.diagnostics()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A benchmark that panics leaves no server behind.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Just behind a text, in the first line that starts with it.
fn behind(start: &str) -> (usize, usize) {
    (PARGEN.lines().position(|line| line.starts_with(start)).expect("PARGEN has it"), start.len())
}

/// What a sound PARGEN gets: P5a, P5b, P5c, P6 and P8 may look ahead.
const USUAL: usize = 5;

fn keystroke(criterion: &mut Criterion) {
    let mut editor = Editor::open(PARGEN);
    let mut measure = |name: &str, place, after_insert| {
        let mut insert = true;
        criterion.bench_function(name, |bench| {
            bench.iter(|| {
                let found = editor.keystroke(place, insert);
                assert_eq!(found, if insert { after_insert } else { USUAL });
                insert = !insert;
            });
        });
        if !insert {
            editor.keystroke(place, false);
        }
    };
    measure("keystroke to diagnostics, a name broken and mended", behind("where region[N] == XA and ty"), 1);
    measure("keystroke to diagnostics, in a comment, all tests run", behind("# P7"), USUAL);
}

criterion_group!(benches, keystroke);
criterion_main!(benches);

//! What the server answers, a case a file: a text, requests about it, and their answers as a reader sees them.
//!
//! ```text
//! where sym<|>bol[N] == A:
//! === textDocument/hover
//! 1:7-1:13 "symbol"
//! …
//! ```
//!
//! `<|>` is the cursor, `<[` and `]>` enclose what is selected. Behind a method may stand parameters of the request in JSON.
//! Those that are not there come from the place: see [`Case::params`]. Beside the protocol's methods there are:
//!
//! - `=== diagnostics`: those that the server publishes.
//! - `=== edit ["old", "new"]`: replaces the first `old`; the requests below are about the text after it.
//! - `=== …/resolve "label"`: resolves an item of the answer above by its label, title, or number from 0.
//! - `=== textDocument/semanticTokens/full/delta`: what changed since the answer above, which edits may lie behind.
//!
//! A first line `--- crlf`, `--- cr` or `--- bom` makes the text's lines end so, or puts a byte order mark before it.
//! Each case is run in every encoding of positions, and has the same answers in all. With `UPDATE=1` the test writes the
//! answers anew; they are to be read before they are committed.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod server;

use std::{
    fmt::Write as _,
    fs, panic,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use server::{
    answer::{Page, changed_lines, edited_tokens},
    client::{Client, full},
    text::{ENCODINGS, Encoding, position, range},
};

const TOKENS: &str = "textDocument/semanticTokens/full";
const TOKENS_DELTA: &str = "textDocument/semanticTokens/full/delta";

/// A text with a place in it, and what is asked about it.
struct Case {
    uri: String,
    text: String,
    version: i64,
    /// The cursor, or the two ends of what is selected.
    place: Option<(usize, usize)>,
    /// The method, its parameters, and the line that asks for them.
    requests: Vec<(String, Value, String)>,
    /// The file up to the first request.
    head: String,
}

impl Case {
    fn read(uri: String, file: &str) -> Self {
        let (head, rest) = file.split_at(file.find("=== ").expect("a request"));
        let (form, marked) = match head.strip_prefix("--- ").and_then(|rest| rest.split_once('\n')) {
            Some((form, rest)) => (form, rest),
            None => ("", head),
        };
        let marked = match form {
            "" => marked.to_owned(),
            "crlf" => marked.replace('\n', "\r\n"),
            "cr" => marked.replace('\n', "\r"),
            "bom" => format!("\u{feff}{marked}"),
            other => panic!("{uri}: there is no form {other}"),
        };
        let mut text = marked;
        let mut take = |mark: &str| {
            let at = text.find(mark)?;
            text.replace_range(at..at + mark.len(), "");
            Some(at)
        };
        let cursor = take("<|>").map(|at| (at, at));
        let selected = take("<[").map(|start| (start, take("]>").expect("`<[` has its `]>`")));
        let requests = rest.lines().filter(|line| line.starts_with("=== ")).map(|line| {
            let (method, params) = line[4..].split_once(' ').unwrap_or((&line[4..], "null"));
            let params = serde_json::from_str(params).unwrap_or_else(|error| panic!("{uri}: {line}: {error}"));
            (method.to_owned(), params, line.to_owned())
        });
        let requests = requests.collect();
        Self { uri, text, version: 1, place: cursor.or(selected), requests, head: head.to_owned() }
    }

    /// The parameters of a request: those given, and what the place gives.
    fn params(&self, method: &str, given: &Value, encoding: Encoding, diagnostics: &[Value]) -> Value {
        let (start, end) = self.place.unwrap_or((0, self.text.len()));
        let at = position(&self.text, self.place.map_or(0, |(start, _)| start), encoding);
        let range = range(&self.text, start, end, encoding);
        let mut params = json!({"textDocument": {"uri": self.uri}});
        match method.rsplit('/').next().unwrap_or_default() {
            "executeCommand" => {
                params = json!({"arguments": [{"uri": self.uri}]});
            }
            "symbol" => params = json!({"query": ""}),
            "documentSymbol" | "codeLens" | "foldingRange" | "documentLink" | "full" | "delta" | "diagnostic" => {}
            "selectionRange" => params["positions"] = json!([at]),
            "inlayHint" | "range" => params["range"] = range,
            "formatting" => params["options"] = options(),
            "rangeFormatting" => {
                params["range"] = range;
                params["options"] = options();
            }
            "codeAction" => {
                let order = |place: &Value| (place["line"].as_u64(), place["character"].as_u64());
                let touches = |found: &&Value| {
                    order(&found["range"]["start"]) <= order(&range["end"])
                        && order(&range["start"]) <= order(&found["range"]["end"])
                };
                let found: Vec<_> = diagnostics.iter().filter(touches).collect();
                params["context"] = json!({"diagnostics": found});
                params["range"] = range;
            }
            kind => {
                params["position"] = at;
                match kind {
                    "onTypeFormatting" => params["options"] = options(),
                    "references" => params["context"] = json!({"includeDeclaration": true}),
                    "completion" => params["context"] = json!({"triggerKind": 1}),
                    "signatureHelp" => params["context"] = json!({"triggerKind": 1, "isRetrigger": false}),
                    _ => {}
                }
            }
        }
        merge(&mut params, given);
        params
    }

    /// Replaces the first occurrence of a text.
    fn edit(&mut self, client: &mut Client, given: &Value, encoding: Encoding) {
        let (Some(old), Some(new)) = (given[0].as_str(), given[1].as_str()) else { panic!("`edit` takes two texts") };
        let start = self.text.find(old).unwrap_or_else(|| panic!("the text holds no {old:?}"));
        let range = range(&self.text, start, start + old.len(), encoding);
        self.version += 1;
        client.change(&self.uri, self.version, &[json!({"range": range, "text": new})]);
        self.text.replace_range(start..start + old.len(), new);
    }

    /// The file with the answers that a server gives.
    fn answered(mut self, encoding: Encoding) -> String {
        let mut client = Client::start();
        let greeting = json!({"processId": null, "rootUri": null, "capabilities": full(&[encoding.name()])});
        let capabilities = client.greet(&greeting)["capabilities"].take();
        assert_eq!(capabilities["positionEncoding"], encoding.name());
        let legend = &capabilities["semanticTokensProvider"]["legend"];
        client.open(&self.uri, &self.text);
        let mut file = self.head.clone();
        let mut diagnostics = self.diagnostics(&mut client);
        // The answer above, and how it was shown.
        let (mut last, mut last_shown) = (Value::Null, String::new());
        for (method, given, line) in self.requests.clone() {
            writeln!(file, "{line}").expect("a string takes it");
            if method == "edit" {
                self.edit(&mut client, &given, encoding);
                diagnostics = self.diagnostics(&mut client);
                continue;
            }
            let page = Page { uri: &self.uri, text: &self.text, encoding, legend };
            let mut params = self.params(&method, &given, encoding, &diagnostics);
            match method.as_str() {
                "diagnostics" => file.push_str(&page.diagnostics(&diagnostics)),
                TOKENS_DELTA => {
                    params["previousResultId"] = last["resultId"].clone();
                    let delta = client.request(TOKENS_DELTA, &params).expect("tokens");
                    let full = client.request(TOKENS, &params).expect("tokens");
                    let edited = edited_tokens(&last["data"], &delta["edits"]);
                    assert_eq!(edited, full["data"], "{}: the edits make other tokens", self.uri);
                    let shown = page.answer(TOKENS, &Ok(full.clone()));
                    file.push_str(&changed_lines(&last_shown, &shown));
                    (last, last_shown) = (full, shown);
                }
                _ if method.ends_with("/resolve") => {
                    let answer = client.request(&method, named(&last, &given));
                    file.push_str(&page.answer(&method, &answer));
                }
                _ => {
                    if method == "textDocument/diagnostic" && last["resultId"].is_string() {
                        params["previousResultId"] = last["resultId"].clone();
                    }
                    let answer = client.request(&method, &params);
                    last_shown = page.answer(&method, &answer);
                    file.push_str(&last_shown);
                    last = answer.unwrap_or_default();
                }
            }
        }
        client.finish();
        file
    }

    /// The published diagnostics, where there are tests those with what the tests showed; none to one that pulls them.
    fn diagnostics(&self, client: &mut Client) -> Vec<Value> {
        if self.requests.iter().any(|(method, ..)| method.ends_with("/diagnostic")) {
            return Vec::new();
        }
        let mut diagnostics = client.published(&self.uri, self.version);
        if self.text.contains("//@ test") {
            let tested = client.published_soon(&self.uri, self.version, Duration::from_millis(500));
            diagnostics = tested.unwrap_or(diagnostics);
        }
        diagnostics
    }
}

fn options() -> Value {
    json!({"tabSize": 4, "insertSpaces": true})
}

/// Puts values into an object, lists item by item.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (Value::Array(into), Value::Array(from)) => {
            for (index, value) in from.iter().enumerate() {
                match into.get_mut(index) {
                    Some(into) => merge(into, value),
                    None => into.push(value.clone()),
                }
            }
        }
        (_, Value::Null) => {}
        (into, from) => *into = from.clone(),
    }
}

/// The item of an answer that has this label or title, or this number.
fn named<'a>(answer: &'a Value, name: &Value) -> &'a Value {
    let items = answer.get("items").unwrap_or(answer);
    let found = match name.as_u64() {
        Some(number) => items.get(number as usize),
        None => items.as_array().into_iter().flatten().find(|item| item["label"] == *name || item["title"] == *name),
    };
    found.unwrap_or_else(|| panic!("the answer above has no {name}"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
}

#[test]
fn every_case_gets_its_answers_in_every_encoding() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/markers");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    assert!(!paths.is_empty(), "there are no cases");
    let folder = &folder;
    let answers = ENCODINGS.map(|encoding| {
        let paths = paths.clone();
        let answer = move |path: &PathBuf| {
            let file = fs::read_to_string(path).expect("a text");
            let name = path.strip_prefix(folder).expect("it is in the folder").with_extension("psl");
            let uri = format!("file:///markers/{}", name.display());
            panic::catch_unwind(|| Case::read(uri, &file).answered(encoding)).unwrap_or_else(|why| {
                eprintln!("{} broke off in {}", name.display(), encoding.name());
                panic::resume_unwind(why)
            })
        };
        move || paths.iter().map(answer).collect::<Vec<_>>()
    });
    let [first, others @ ..] = thread::scope(|scope| {
        answers.map(|answers| scope.spawn(answers)).map(|thread| thread.join().expect("every case is answered"))
    });
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for (index, (path, answered)) in paths.iter().zip(&first).enumerate() {
        let name = path.display();
        if update {
            fs::write(path, answered).expect("the answers");
        } else if fs::read_to_string(path).expect("a text") != *answered {
            wrong.push(format!("{name} is answered:\n{answered}"));
        }
        for (other, encoding) in others.iter().zip(&ENCODINGS[1..]) {
            if other[index] != *answered {
                wrong.push(format!("{name} has other answers in {}:\n{}", encoding.name(), other[index]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

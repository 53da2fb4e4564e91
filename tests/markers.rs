//! Compares the server's answers through its pipe with the cases of `tests/markers` that ask for it (see
//! [`cases::case`]), one test each, in every position encoding. The test of this name in psl-ide answers all other
//! cases in the process. Both use the same files.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "server/answer.rs"]
mod answer;
mod cases;
mod server;

use std::{process::ExitCode, thread, time::Duration};

use answer::Page;
use cases::{
    case::{Case, cases, edit, methods},
    diff::changed_lines,
    golden,
};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use server::{
    client::{Client, full},
    text::{ENCODINGS, Encoding, position, range},
    tokens::edited_tokens,
};

const TOKENS: &str = "textDocument/semanticTokens/full";
const TOKENS_DELTA: &str = "textDocument/semanticTokens/full/delta";

/// Minimum number of cases for the pipe.
const AT_LEAST: usize = 40;

fn main() -> ExitCode {
    let mut trials = vec![Trial::test("every method goes through the pipe", every_method_goes_through_the_pipe)];
    trials.extend(cases().into_iter().filter(|case| case.through_pipe).map(|case| {
        let name = case.name.clone();
        Trial::test(name, move || Ok(golden::compare(&case.path, &in_every_encoding(&case)?)?))
    }));
    assert!(trials.len() > AT_LEAST, "there are only {} cases for the pipe", trials.len() - 1);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn every_method_goes_through_the_pipe() -> Result<(), Failed> {
    let cases = cases();
    let all = methods(&cases);
    let through_pipe = methods(cases.iter().filter(|case| case.through_pipe));
    // A server searches in the background: `tests/lsp/searches.rs`.
    let missing: Vec<_> = all.iter().filter(|method| !through_pipe.contains(method) && **method != "search").collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no case for the pipe requests {missing:?}").into()) }
}

/// The case's file with the answers of the server, which must be equal in every encoding.
fn in_every_encoding(case: &Case) -> Result<String, String> {
    let [first, others @ ..] = thread::scope(|scope| {
        let answered = ENCODINGS.map(|encoding| scope.spawn(move || Session::new(case, encoding).answered()));
        answered.map(|thread| thread.join().expect("every request is answered"))
    });
    for (other, encoding) in others.iter().zip(&ENCODINGS[1..]) {
        if *other != first {
            return Err(format!("the answers differ in {}:\n{}", encoding.name(), changed_lines(&first, other)));
        }
    }
    Ok(first)
}

/// A case that a server answers.
struct Session<'c> {
    case: &'c Case,
    encoding: Encoding,
    client: Client,
    /// The names of the types and modifiers of semantic tokens.
    legend: Value,
    uri: String,
    text: String,
    version: i64,
    /// The diagnostics published last.
    diagnostics: Vec<Value>,
    /// The item of a call hierarchy prepared last.
    production: Value,
    /// The preceding answer, and its form in the file.
    last: (Value, String),
}

impl<'c> Session<'c> {
    fn new(case: &'c Case, encoding: Encoding) -> Self {
        let mut client = Client::start();
        // A client that shows lenses gets no hints with the same content.
        let mut client_capabilities = full(&[encoding.name()]);
        client_capabilities["textDocument"]["codeLens"] = Value::Null;
        let options = json!({"showDebug": true});
        let greeting = json!({"processId": null, "rootUri": null, "capabilities": client_capabilities,
                              "initializationOptions": options});
        let mut capabilities = client.greet(&greeting)["capabilities"].take();
        assert_eq!(capabilities["positionEncoding"], encoding.name());
        let legend = capabilities["semanticTokensProvider"]["legend"].take();
        let (uri, text) = (format!("file:///markers/{}.psl", case.name), case.text.clone());
        client.open(&uri, &text);
        let last = (Value::Null, String::new());
        Self {
            case,
            encoding,
            client,
            legend,
            uri,
            text,
            version: 1,
            diagnostics: Vec::new(),
            production: Value::Null,
            last,
        }
    }

    /// The case's file with the server's answers.
    fn answered(mut self) -> String {
        let mut file = self.case.head.clone();
        self.take_diagnostics();
        for request in &self.case.requests {
            file.push_str(&request.line);
            file.push('\n');
            file.push_str(&self.answer(&request.method, &request.params));
        }
        self.client.finish();
        file
    }

    fn answer(&mut self, method: &str, given: &Value) -> String {
        match method {
            "edit" => {
                self.edit(given);
                String::new()
            }
            "diagnostics" => self.page().diagnostics(&self.diagnostics),
            TOKENS_DELTA => self.tokens_delta(),
            _ if method.ends_with("/resolve") => {
                let answer = self.client.request(method, named(&self.last.0, given));
                self.page().answer(method, &answer)
            }
            _ => {
                let mut params = self.params(method, given);
                if method == "textDocument/diagnostic" && self.last.0["resultId"].is_string() {
                    params["previousResultId"] = self.last.0["resultId"].clone();
                }
                let answer = self.client.request(method, &params);
                let shown = self.page().answer(method, &answer);
                if method == "textDocument/prepareCallHierarchy" {
                    self.production = answer.as_ref().map_or(Value::Null, |answer| answer[0].clone());
                }
                self.last = (answer.unwrap_or_default(), shown.clone());
                shown
            }
        }
    }

    fn page(&self) -> Page<'_> {
        Page { uri: &self.uri, text: &self.text, encoding: self.encoding, legend: &self.legend }
    }

    fn edit(&mut self, given: &Value) {
        let before = self.text.clone();
        let (start, end) = edit(&mut self.text, given);
        self.version += 1;
        let change = json!({"range": range(&before, start, end, self.encoding), "text": given[1]});
        self.client.change(&self.uri, self.version, &[change]);
        self.take_diagnostics();
    }

    /// The change in the tokens since the preceding answer. Its edits must produce the tokens of a full request.
    fn tokens_delta(&mut self) -> String {
        let mut params = json!({"textDocument": {"uri": self.uri}});
        params["previousResultId"] = self.last.0["resultId"].clone();
        let delta = self.client.request(TOKENS_DELTA, &params).expect("tokens");
        let full = self.client.request(TOKENS, &params);
        let edited = edited_tokens(&self.last.0["data"], &delta["edits"]);
        let shown = self.page().answer(TOKENS, &full);
        let full = full.expect("tokens");
        assert_eq!(edited, full["data"], "{}: the edits produce other tokens", self.uri);
        let changed = changed_lines(&self.last.1, &shown);
        self.last = (full, shown);
        changed
    }

    /// Waits for the published diagnostics, with those of the tests if there are any. A client that pulls diagnostics
    /// gets none.
    fn take_diagnostics(&mut self) {
        if self.case.requests.iter().any(|request| request.method.ends_with("/diagnostic")) {
            return;
        }
        self.diagnostics = self.client.published(&self.uri, self.version);
        if ["//@ test", "//@ law"].iter().any(|word| self.text.contains(word))
            && let Some(tested) = self.client.published_soon(&self.uri, self.version, Duration::from_millis(500))
        {
            self.diagnostics = tested;
        }
    }

    /// The parameters of a request: the given ones, completed from the marked spans.
    fn params(&self, method: &str, given: &Value) -> Value {
        let (text, encoding) = (&self.text, self.encoding);
        let (start, end) = self.case.span(text);
        let at = position(text, self.case.offset(), encoding);
        let range = range(text, start, end, encoding);
        let mut params = json!({"textDocument": {"uri": self.uri}});
        match method.rsplit('/').next().unwrap_or_default() {
            "executeCommand" => {
                params = json!({"arguments": [{"uri": self.uri}]});
            }
            "incomingCalls" | "outgoingCalls" => params = json!({"item": self.production}),
            "symbol" => params = json!({"query": ""}),
            "documentSymbol" | "codeLens" | "foldingRange" | "documentLink" | "full" | "delta" | "diagnostic" => {}
            "selectionRange" => {
                let at = |place: &(usize, usize)| position(text, place.0, encoding);
                params["positions"] = self.case.places.iter().map(at).collect();
            }
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
                let found: Vec<_> = self.diagnostics.iter().filter(touches).collect();
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
}

fn options() -> Value {
    json!({"tabSize": 4, "insertSpaces": true})
}

/// Merges values into an object, and lists item by item.
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

/// The item of an answer with this label, title or number.
fn named<'a>(answer: &'a Value, name: &Value) -> &'a Value {
    let items = answer.get("items").unwrap_or(answer);
    let found = match name.as_u64() {
        Some(number) => items.get(number as usize),
        None => items.as_array().into_iter().flatten().find(|item| item["label"] == *name || item["title"] == *name),
    };
    found.unwrap_or_else(|| panic!("the preceding answer has no {name}"))
}

//! At a checkpoint, the server has answered everything and agrees with a new server that saw no edits.

use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::{
    connection::PATIENCE,
    fresh::Fresh,
    session::{Document, Editor, Published},
};
use crate::server::{
    edits::random_offset,
    questions::{PULL, QUESTIONS, TOKENS, about},
    text::position,
    tokens::edited_tokens,
};

/// Requests whose results also depend on the runs of a document, which the server stores until the document is closed.
const OF_RUNS: [&str; 3] = ["textDocument/codeLens", "textDocument/inlayHint", "textDocument/codeAction"];

const DELTA: &str = "textDocument/semanticTokens/full/delta";
const WORKSPACE: &str = "workspace/diagnostic";
const REQUEST_FAILED: i64 = -32803;

type Answer = Result<Value, Value>;

/// A request for both servers.
struct Question {
    method: &'static str,
    uri: Option<String>,
    params: Value,
}

impl Editor {
    /// Waits until the server is idle, and compares it with a new server.
    pub fn checkpoint(&mut self) {
        self.connection.note("checkpoint");
        self.settle();
        if self.heal() {
            self.settle();
        }
        self.compare();
        self.wait_for_answers();
        self.ledger.close().unwrap_or_else(|why| panic!("{why}"));
    }

    fn begin(&mut self, method: &str, uri: Option<&str>, params: &Value) -> Value {
        let id = Value::from(format!("checkpoint/{}", self.new_id()));
        self.ask(&id, method, uri, params);
        id
    }

    fn request(&mut self, method: &str, params: &Value) -> Answer {
        let id = self.begin(method, None, params);
        self.response(&id)
    }

    /// Checks that each text equals the editor's or is reported as in doubt. Sends texts in doubt again, and returns
    /// whether there were any.
    fn heal(&mut self) -> bool {
        let sends = self.may_be_in_doubt || !self.strays.is_empty();
        let mut healed = Vec::new();
        for index in 0..self.documents.len() {
            let uri = self.documents[index].uri.clone();
            if !self.documents[index].is_open {
                if self.may_be_in_doubt {
                    // The message that closed the document may be lost.
                    self.close(index);
                }
                continue;
            }
            let text = self.request("psl/text", &json!({"uri": uri})).expect("the server sends the text");
            let start = json!({"line": 0, "character": 0});
            if self.is_in_doubt(&uri, &start) {
                assert!(self.may_be_in_doubt, "{uri} is in doubt, but no change of a text was lost");
                self.assert_reported_in_doubt(&uri, &start);
                healed.push(index);
            } else if text.is_null() && self.documents[index].perhaps_closed {
                healed.push(index);
            } else {
                let Document { text: expected, version, .. } = &self.documents[index];
                assert!(text["text"] == **expected, "{uri}: the server has {text}, but the editor {expected:?}");
                assert_eq!(text["version"], *version, "{uri}");
            }
        }
        for uri in std::mem::take(&mut self.strays) {
            if !self.documents.iter().any(|document| document.is_open && document.uri == uri) {
                self.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
            }
        }
        self.counts.in_doubt += healed.len();
        self.may_be_in_doubt = false;
        for index in healed {
            if self.documents[index].version % 2 == 0 && !self.documents[index].perhaps_closed {
                let whole = json!({"text": self.documents[index].text});
                self.send_changes(index, &[whole]);
            } else {
                self.close(index);
                self.open_again(index);
            }
        }
        sends
    }

    fn is_in_doubt(&mut self, uri: &str, start: &Value) -> bool {
        match self.request("textDocument/hover", &about(uri, start)) {
            Ok(_) => false,
            Err(error) => {
                assert_eq!(error["code"], REQUEST_FAILED, "{uri}: {error}");
                assert!(error["message"].as_str().is_some_and(|why| why.contains("damaged")), "{uri}: {error}");
                true
            }
        }
    }

    fn assert_reported_in_doubt(&mut self, uri: &str, start: &Value) {
        let found = if self.pulls {
            let pulled = self.request(PULL, &about(uri, start)).expect("diagnostics");
            pulled["items"].as_array().cloned()
        } else {
            self.published.get(uri).map(|(_, diagnostics)| diagnostics.clone())
        };
        let is_reported = found.as_ref().is_some_and(|found| {
            found.len() == 1 && found[0]["message"].as_str().is_some_and(|message| message.contains("damaged"))
        });
        assert!(is_reported, "{uri} is in doubt, but its diagnostics do not report it: {found:?}");
    }

    /// Sends the same requests to this server and a new one, and repeats them while one of the servers is busy.
    fn compare(&mut self) {
        let questions = self.questions();
        let mut fresh = Fresh::start(self);
        let start = Instant::now();
        let mut rounds = 0;
        let difference = loop {
            let (got, expected) = (self.answers(&questions), fresh_answers(&mut fresh, &questions));
            fresh.listen(Duration::from_millis(10));
            self.listen_for(Duration::from_millis(10));
            let difference = self.difference(&questions, (&got, &expected), &fresh.published);
            let Some(difference) = difference else {
                self.remember(&questions, &got);
                self.counts.compared += got.len();
                break None;
            };
            // The results of tests arrive later, and not at the same time.
            let rest =
                fresh.connection.rests(Duration::from_millis(300)) && self.connection.rests(Duration::from_millis(300));
            rounds += 1;
            if (rest && rounds > 10) || start.elapsed() > 10 * PATIENCE {
                break Some(difference);
            }
        };
        assert_eq!(fresh.connection.complaints(), "", "the new server writes to its standard error");
        if let Some(difference) = difference {
            panic!("the server and a new one differ: {difference}");
        }
    }

    fn questions(&mut self) -> Vec<Question> {
        let mut questions = Vec::new();
        for index in 0..self.documents.len() {
            let document = &self.documents[index];
            if !document.is_open {
                continue;
            }
            let uri = document.uri.clone();
            let offset = random_offset(&mut self.random, &document.text);
            let params = about(&uri, &position(&document.text, offset, self.encoding));
            let asked = QUESTIONS.iter().map(|(method, _)| *method);
            let asked = asked.filter(|method| *method != PULL || self.pulls);
            let asked = asked.filter(|method| !OF_RUNS.contains(method) || !document.ran);
            let more = ["psl/text", "textDocument/rename", "textDocument/onTypeFormatting"];
            for method in asked.chain(more) {
                let mut params = params.clone();
                params["newName"] = "other_name".into();
                params["ch"] = "\n".into();
                questions.push(Question { method, uri: Some(uri.clone()), params });
            }
            let emit = *["qkvl", "psl"].choose(&mut self.random).expect("some");
            let params = json!({"command": "psl.compile", "arguments": [{"uri": uri, "emit": emit}]});
            questions.push(Question { method: "workspace/executeCommand", uri: Some(uri), params });
        }
        let everywhere = json!({"query": "", "previousResultIds": []});
        questions.push(Question { method: "workspace/symbol", uri: None, params: everywhere.clone() });
        if self.pulls {
            questions.push(Question { method: WORKSPACE, uri: None, params: everywhere });
        }
        questions
    }

    /// The full answers of the editor's server. Deltas are applied to earlier answers.
    fn answers(&mut self, questions: &[Question]) -> Vec<Answer> {
        let mut asked = Vec::new();
        for Question { method, uri, params } in questions {
            let mut params = params.clone();
            let mut method = *method;
            let known = uri.as_ref().and_then(|uri| self.semantic_tokens.get(uri));
            if let (TOKENS, Some((id, _))) = (method, known) {
                method = DELTA;
                params["previousResultId"] = id.clone();
            } else if let (PULL, Some((id, _))) = (method, uri.as_ref().and_then(|uri| self.pulled.get(uri))) {
                params["previousResultId"] = id.clone().into();
            } else if method == WORKSPACE {
                let known = self.pulled.iter().map(|(uri, (id, _))| json!({"uri": uri, "value": id}));
                params["previousResultIds"] = known.collect();
            }
            asked.push(self.begin(method, uri.as_deref(), &params));
        }
        let mut answers = Vec::new();
        for (Question { method, uri, .. }, id) in questions.iter().zip(&asked) {
            let mut answer = self.response(id);
            match (*method, &mut answer) {
                (TOKENS, Ok(tokens)) => *tokens = self.tokens(uri.as_deref().unwrap_or_default(), tokens),
                (PULL, Ok(report)) => self.pulled(uri.as_deref().unwrap_or_default(), report),
                (WORKSPACE, Ok(reports)) => {
                    let Some(reports) = reports["items"].as_array_mut() else { continue };
                    // A report without an id clears a file that is deleted or has no diagnostics.
                    for gone in reports.extract_if(.., |report| report.get("resultId").is_none()) {
                        assert_eq!(gone["items"], json!([]), "diagnostics of a deleted file: {gone}");
                        self.pulled.remove(gone["uri"].as_str().expect("a URI"));
                    }
                    for report in reports {
                        let uri = report["uri"].as_str().expect("a URI").to_owned();
                        self.pulled(&uri, report);
                    }
                }
                _ => {}
            }
            answers.push(answer.map(without_result_ids).map(without_searches));
        }
        answers
    }

    fn tokens(&mut self, uri: &str, answer: &Value) -> Value {
        let id = answer["resultId"].clone();
        let data = match answer.get("edits") {
            Some(edits) => edited_tokens(&self.semantic_tokens[uri].1, edits),
            None => answer["data"].clone(),
        };
        self.semantic_tokens.insert(uri.to_owned(), (id, data.clone()));
        json!({"data": data})
    }

    /// Replaces "unchanged" by the editor's copy.
    fn pulled(&mut self, uri: &str, report: &mut Value) {
        let id = report["resultId"].as_str().expect("an id").to_owned();
        if report["kind"] == "unchanged" {
            let (known, items) = &self.pulled[uri];
            assert_eq!(*known, id, "{uri} is reported as unchanged with a different id");
            report["kind"] = "full".into();
            report["items"] = items.clone();
        }
        self.pulled.insert(uri.to_owned(), (id, report["items"].clone()));
    }

    fn difference(
        &self,
        questions: &[Question],
        (got, expected): (&[Answer], &[Answer]),
        published: &Published,
    ) -> Option<String> {
        for (Question { method, uri, params }, (got, expected)) in questions.iter().zip(got.iter().zip(expected)) {
            if got != expected {
                let uri = uri.as_deref().unwrap_or("everything");
                let [got, expected] = [got, expected].map(|answer| match answer {
                    Ok(result) => json!({"result": result}),
                    Err(error) => json!({"error": error}),
                });
                return Some(format!("{method} of {uri} with {params}: {}", first_difference("", &got, &expected)));
            }
        }
        let nothing = (None, Vec::new());
        let uris = self.published.keys().chain(published.keys());
        for uri in uris {
            // Nothing is published for a client that pulls, or for closed documents.
            let is_open = self.documents.iter().any(|document| document.is_open && document.uri == *uri);
            let is_published = is_open || uri.ends_with("/psl.toml");
            let expected = if is_published && !self.pulls { published.get(uri).unwrap_or(&nothing) } else { &nothing };
            let got = self.published.get(uri).unwrap_or(&nothing);
            let is_same = got.1 == expected.1 && (expected.0.is_none() || got.0 == expected.0);
            if !is_same {
                let [got, expected] = [got, expected].map(|(version, diagnostics)| json!([version, diagnostics]));
                return Some(format!("diagnostics published for {uri}: {}", first_difference("", &got, &expected)));
            }
        }
        None
    }

    /// Stores the items that later requests need.
    fn remember(&mut self, questions: &[Question], answers: &[Answer]) {
        for (Question { method, .. }, answer) in questions.iter().zip(answers) {
            let Ok(answer) = answer else { continue };
            let first = match *method {
                "textDocument/completion" => ("completionItem/resolve", answer.pointer("/items/0").or(answer.get(0))),
                method @ "textDocument/prepareCallHierarchy" => (method, answer.get(0)),
                _ => continue,
            };
            if let (name, Some(item)) = first {
                self.items.insert(name, item.clone());
            }
        }
    }
}

fn fresh_answers(fresh: &mut Fresh, questions: &[Question]) -> Vec<Answer> {
    let asked: Vec<_> = questions.iter().map(|question| fresh.begin(question.method, &question.params)).collect();
    asked.into_iter().map(|id| fresh.response(id).map(without_result_ids).map(without_searches)).collect()
}

/// Describes the first difference between two values.
fn first_difference(path: &str, got: &Value, expected: &Value) -> String {
    match (got, expected) {
        (Value::Object(got), Value::Object(expected)) if got.keys().eq(expected.keys()) => {
            let differs = got.iter().find(|(key, value)| expected[*key] != **value);
            differs.map(|(key, value)| first_difference(&format!("{path}/{key}"), value, &expected[key]))
        }
        (Value::Array(got), Value::Array(expected)) if got.len() == expected.len() => {
            let differs = got.iter().zip(expected).position(|(got, expected)| got != expected);
            differs.map(|at| first_difference(&format!("{path}/{at}"), &got[at], &expected[at]))
        }
        _ => None,
    }
    .unwrap_or_else(|| format!("{path}: expected\n{expected}\ngot\n{got}"))
}

/// Removes the actions of searches in the background, which end on one server before the other.
fn without_searches(mut answer: Value) -> Value {
    const STARTS: [&str; 4] = ["Repair: ", "Fill the hole", "Search for ", "Show all "];
    let is_search = |action: &Value| {
        let title = action["title"].as_str();
        title.is_some_and(|title| STARTS.iter().any(|start| title.starts_with(start)))
    };
    if let Some(actions) = answer.as_array_mut() {
        actions.retain(|action| !is_search(action));
    }
    answer
}

/// Removes result ids, which differ between servers.
fn without_result_ids(mut answer: Value) -> Value {
    let items = answer.get_mut("items").and_then(Value::as_array_mut);
    for report in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        report.shift_remove("resultId");
    }
    if let Some(fields) = answer.as_object_mut() {
        fields.shift_remove("resultId");
    }
    answer
}

//! Random requests of the editor, valid and invalid.

use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

use super::{
    damage::Left,
    ledger::Sent,
    session::{Document, Editor},
};
use crate::server::{
    edits::random_offset,
    questions::{PULL, QUESTIONS, about},
    text::position,
};

/// Requests about a document that are not in [`QUESTIONS`].
const MORE: [&str; 7] = [
    "psl/text",
    "textDocument/semanticTokens/full/delta",
    "textDocument/rename",
    "textDocument/onTypeFormatting",
    "completionItem/resolve",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
];

/// Unknown methods.
const UNKNOWN: [&str; 5] =
    ["textDocument/noSuchThing", "$/noSuchThing", "noSuchThing", "workspace/noSuchThing", "psl/noSuchThing"];

/// Invalid values for parameters.
const ODD: [&str; 12] =
    ["null", "-1", "7", "1.5", "4294967296", "1e300", "\"\"", "\"no URI\"", "\"untitled:other\"", "[]", "{}", "true"];

const PROMPTS: [&str; 8] =
    ["A", "A B", "a x . a y . a", "0 1", "", "  ", "🙂", "Q B V D E A D E V B . Q F G H V K L A"];

const COMMANDS: [&str; 14] = [
    "psl.run",
    "psl.run",
    "psl.tests",
    "psl.trace",
    "psl.table",
    "psl.compile",
    "psl.coverage",
    "psl.saveTest",
    "psl.repair",
    "psl.fill",
    "psl.unnoticed",
    "psl.explain",
    "psl.explore",
    "psl.unknown",
];

/// A request before it is sent.
pub struct Question {
    pub method: String,
    pub uri: Option<String>,
    pub params: Value,
}

impl Editor {
    pub fn send_random_request(&mut self) {
        let Question { method, uri, mut params } = match self.random.random_range(0..20) {
            0..15 => self.question_about_document(),
            15 => self.question_about_workspace(),
            16 => Question {
                method: (*UNKNOWN.choose(&mut self.random).expect("some")).to_owned(),
                uri: None,
                params: json!({}),
            },
            _ => self.command(),
        };
        // The method stays: with invalid parameters, a pull is still a pull.
        if self.random.random_ratio(1, 12) {
            let odd = *ODD.choose(&mut self.random).expect("some");
            replace_random_part(self, &mut params, &serde_json::from_str(odd).expect("JSON"));
            // The parameters may now refer to any document.
            return self.send_request(&Question { method, uri: None, params });
        }
        self.send_request(&Question { method, uri, params });
    }

    /// Sends a request with a new id or one that was used before.
    pub fn send_request(&mut self, Question { method, uri, params }: &Question) {
        let id = match self.random.random_range(0..60) {
            0 => Value::Null,
            1 => self.ids.last().cloned().unwrap_or_default(),
            2 => json!(-self.new_id()),
            3..20 => format!("{}", self.new_id()).into(),
            _ => self.new_id().into(),
        };
        let mut params = params.clone();
        let mut token = None;
        let shows = method == "workspace/executeCommand" || method == "workspace/diagnostic";
        if shows && params.is_object() && self.random.random_ratio(1, 2) {
            let handed_out = Value::from(format!("client/{}", self.new_id()));
            params["workDoneToken"] = handed_out.clone();
            self.tokens.push(handed_out.clone());
            token = Some(handed_out);
        }
        if method == "workspace/executeCommand" && params["command"] != "psl.compile" {
            for document in &mut self.documents {
                // Invalid parameters may refer to any document.
                document.ran |= uri.as_ref().is_none_or(|uri| *uri == document.uri);
            }
        }
        self.counts.requests += 1;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        if params.is_null() {
            message.as_object_mut().expect("an object").shift_remove("params");
        }
        let left = self.send_through_noise(&message, false);
        let certain = matches!(left, Left::Whole | Left::AfterJunk);
        self.ledger.ask(&Sent { id: &id, method, uri: uri.as_deref(), token: token.as_ref(), certain });
        self.ids.push(id);
    }

    fn question_about_document(&mut self) -> Question {
        let index = self.random.random_range(0..self.documents.len());
        let method = match self.random.random_range(0..QUESTIONS.len() + MORE.len()) {
            it if it < QUESTIONS.len() => QUESTIONS[it].0,
            it => MORE[it - QUESTIONS.len()],
        };
        // Diagnostics are published until the client pulls.
        let method = if method == PULL && !self.pulls { "textDocument/hover" } else { method };
        let document = &self.documents[index];
        let offset = random_offset(&mut self.random, &document.text);
        let mut params = about(&document.uri, &position(&document.text, offset, self.encoding));
        let uri = document.uri.clone();
        match method {
            "textDocument/rename" => {
                params["newName"] =
                    (*["x", "mark", "", "new name", "é"].choose(&mut self.random).expect("some")).into();
            }
            "textDocument/onTypeFormatting" => {
                params["ch"] = (*["\n", ":", "x"].choose(&mut self.random).expect("some")).into();
            }
            "textDocument/semanticTokens/full/delta" => {
                let known = self.semantic_tokens.get(&uri).map(|(id, _)| id.clone());
                params["previousResultId"] = known.unwrap_or_else(|| "unknown".into());
            }
            "completionItem/resolve" => {
                params = self.items.get(method).cloned().unwrap_or_else(|| json!({"label": "where"}));
            }
            "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => {
                let item = self.items.get("textDocument/prepareCallHierarchy").cloned();
                params = json!({"item": item.unwrap_or_else(|| json!({"name": "1", "uri": uri}))});
                return Question { method: method.to_owned(), uri: None, params };
            }
            _ => {}
        }
        Question { method: method.to_owned(), uri: Some(uri), params }
    }

    fn question_about_workspace(&mut self) -> Question {
        let (method, params) = if self.pulls && self.random.random_ratio(1, 2) {
            let known = self.pulled.iter().map(|(uri, (id, _))| json!({"uri": uri, "value": id}));
            ("workspace/diagnostic", json!({"previousResultIds": known.collect::<Vec<_>>()}))
        } else {
            let query = *["", "a", "where", "symbol", "🙂", "Where N"].choose(&mut self.random).expect("some");
            ("workspace/symbol", json!({"query": query}))
        };
        Question { method: method.to_owned(), uri: None, params }
    }

    fn command(&mut self) -> Question {
        let index = self.random.random_range(0..self.documents.len());
        let Document { uri, is_endless, .. } = &self.documents[index];
        let (uri, is_endless) = (uri.clone(), *is_endless);
        let random = &mut self.random;
        let command = *COMMANDS.choose(random).expect("some");
        let mut argument = json!({"uri": uri});
        match random.random_range(0..4) {
            0 => argument["test"] = random.random_range(0..3).into(),
            1 => argument["test"] = (*["one", "swap", "no such test"].choose(random).expect("some")).into(),
            _ => argument["prompt"] = (*PROMPTS.choose(random).expect("some")).into(),
        }
        // The full arithmetic and the weights of a long run can take gigabytes.
        let (machines, emits) = if is_endless { (1.., 1..) } else { (0.., 0..) };
        if random.random_ratio(1, 3) {
            argument["machine"] =
                (*["full-dat", "psm", "qkvm", "dat", "none"][machines].choose(random).expect("some")).into();
        }
        match command {
            "psl.compile" => {
                argument["emit"] = (*["weights", "qkvl", "psl", "none"][emits].choose(random).expect("some")).into();
            }
            "psl.tests" => {
                let run = random.random_ratio(1, 2);
                argument["run"] = run.into();
                if random.random_ratio(1, 4) {
                    argument.as_object_mut().expect("an object").shift_remove("uri");
                }
            }
            "psl.saveTest" => {
                argument["continuation"] = (*PROMPTS.choose(random).expect("some")).into();
            }
            "psl.explain" => {
                argument["code"] = (*["non-causal", "syntax", "no-such"].choose(random).expect("some")).into();
            }
            _ => {}
        }
        let arguments = if random.random_ratio(1, 15) { json!([]) } else { json!([argument]) };
        // Without a document, the command applies to all.
        let uri = arguments[0]["uri"].is_string().then_some(uri);
        let params = json!({"command": command, "arguments": arguments});
        Question { method: "workspace/executeCommand".to_owned(), uri, params }
    }
}

/// Replaces a random part of a value.
fn replace_random_part(editor: &mut Editor, value: &mut Value, by: &Value) {
    let random = &mut editor.random;
    let mut at = value;
    loop {
        let size = match at {
            Value::Object(fields) => fields.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if size == 0 || random.random_ratio(1, 4) {
            break;
        }
        let index = random.random_range(0..size);
        at = match at {
            Value::Object(fields) => fields.values_mut().nth(index).expect("a field"),
            Value::Array(items) => &mut items[index],
            _ => break,
        };
    }
    at.clone_from(by);
}

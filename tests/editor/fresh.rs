//! A new server that saw no edits.

use std::{collections::HashMap, time::Duration};

use serde_json::{Value, json};

use super::{
    connection::Connection,
    damage::framed,
    session::{Editor, Published},
};

/// A new server, initialized like the editor's and with the current texts of its documents.
pub struct Fresh {
    pub connection: Connection,
    pub published: Published,
    settings: Value,
    answers: HashMap<i64, Value>,
    asked: i64,
}

impl Fresh {
    /// Starts and initializes the server.
    pub fn start(editor: &Editor) -> Self {
        let mut fresh = Self {
            connection: Connection::start(None),
            published: Published::new(),
            settings: editor.settings.clone(),
            answers: HashMap::new(),
            asked: 0,
        };
        let id = fresh.begin("initialize", &editor.greeting());
        fresh.response(id).expect("the server can be initialized");
        fresh.notify("initialized", &json!({}));
        for document in editor.documents.iter().filter(|document| document.is_open) {
            let item = json!({
                "uri": document.uri, "languageId": "psl", "version": document.version, "text": document.text,
            });
            fresh.notify("textDocument/didOpen", &json!({"textDocument": item}));
        }
        fresh
    }

    fn send(&mut self, message: &Value) {
        self.connection.send(framed(&message.to_string()));
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns its id.
    pub fn begin(&mut self, method: &str, params: &Value) -> i64 {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// Waits for the response to a request: its result or its error.
    pub fn response(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            if let Some(mut answer) = self.answers.remove(&id) {
                return match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                };
            }
            let message = self.connection.wait();
            self.take(message);
        }
    }

    /// Handles messages until none arrives for this time.
    pub fn listen(&mut self, quiet: Duration) {
        while let Some(message) = self.connection.receive(quiet) {
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some("workspace/configuration"), Some(id)) => {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": [self.settings]});
                self.send(&answer);
            }
            (Some(_), Some(id)) => {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": null});
                self.send(&answer);
            }
            (Some("textDocument/publishDiagnostics"), None) => {
                let params = &message["params"];
                let diagnostics = params["diagnostics"].as_array().expect("a list").clone();
                let uri = params["uri"].as_str().expect("a URI").to_owned();
                self.published.insert(uri, (params["version"].as_i64(), diagnostics));
            }
            (_, None) => {}
            (None, Some(id)) => drop(self.answers.insert(id.as_i64().expect("a number"), message)),
        }
    }
}

//! Random actions of the editor.

use std::{thread, time::Duration};

use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

use super::{
    damage::framed,
    disk::{TESTS_WITH_FILES, sound_program},
    session::{Answers, Editor, LONE_SURROGATE},
};
use crate::server::edits::{Change, random_change};

/// Maximum length of a text, in bytes. A longer text is replaced.
const LONG: usize = 20_000;

const NO_MESSAGES: [&str; 10] = [
    "null",
    "[]",
    "{}",
    "nonsense",
    "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"shutdown\"}]",
    "{\"jsonrpc\": \"1.0\", \"method\": \"exit\"}",
    "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"shutdown\"}",
    "{\"jsonrpc\": \"2.0\", \"method\": 7}",
    "{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": 7, \"result\": 7, \"params\": 7}",
    "\"\\ud83d",
];

impl Editor {
    /// Performs many actions, with or without pauses.
    pub fn act_for_a_while(&mut self) {
        self.counts.rounds += 1;
        self.connection.note(&format!("round {}", self.counts.rounds));
        let modes = [Answers::All, Answers::All, Answers::None, Answers::Refusals, Answers::Half];
        self.answers = *modes.choose(&mut self.random).expect("some");
        if self.random.random_ratio(1, 4) {
            self.types = !self.types;
            self.rest();
        }
        self.damages = self.random.random_ratio(1, 3);
        if self.random.random_ratio(1, 2) {
            self.answer_late();
        }
        self.pulls |= self.random.random_ratio(1, 12);
        let pause = *[0, 0, 0, 2, 10].choose(&mut self.random).expect("some");
        // A second change can hide that the first had no effect.
        let steps = if self.types { [5, 30, 60, 100, 100, 300] } else { [1, 1, 2, 4, 10, 100] };
        let steps = *steps.choose(&mut self.random).expect("some");
        let mut silent_until = 0;
        for step in 0..steps {
            if step == silent_until {
                self.connection.set_reading(true);
            }
            if self.random.random_ratio(1, 150) {
                self.connection.set_reading(false);
                silent_until = step + self.random.random_range(1..60);
            }
            self.act();
            self.listen();
            if self.random.random_ratio(1, 4) {
                thread::sleep(Duration::from_millis(pause));
            }
        }
        self.damages = false;
        // The server can read a message that is shorter than its header announces only when the next one arrives.
        self.notify("$/noSuchThing", &Value::Null);
        if !self.events.is_empty() {
            self.tell_events();
        }
    }

    /// Replaces some texts by programs that run.
    fn rest(&mut self) {
        for index in 0..self.documents.len() {
            if !self.types && !self.documents[index].is_endless && self.random.random_ratio(2, 3) {
                self.documents[index].text = sound_program(&mut self.random);
                self.open_again(index);
            }
        }
    }

    fn act(&mut self) {
        let index = self.random.random_range(0..self.documents.len());
        let turn = self.random.random_range(0..200);
        // Without typing, the effects of other changes are visible.
        match if self.types || turn >= 130 { turn } else { 86 + turn * 23 / 130 } {
            0..70 => self.edit(index),
            70..80 if self.documents[index].is_open => self.close(index),
            70..86 => {
                self.documents[index].text = self.random_text(index);
                self.open_again(index);
            }
            86..92 => {
                let uri = self.documents[index].uri.clone();
                let message = json!({
                    "jsonrpc": "2.0", "method": "textDocument/didSave", "params": {"textDocument": {"uri": uri}},
                });
                self.send_through_noise(&message, true);
            }
            92..96 => self.change_settings(),
            96..106 => {
                let event = self.disk.change(&mut self.random, &self.programs);
                // Editors do not watch `.gitignore`.
                if !event.uri.ends_with(".gitignore") {
                    self.events.push(event);
                }
                if self.random.random_ratio(1, 2) {
                    self.tell_events();
                }
            }
            106..109 => self.change_folders(),
            109..112 => self.send_nonsense(index),
            112..114 => self.cancel_work(),
            114..130 => self.cancel_request(),
            130 if self.random.random_ratio(1, 12) => {
                self.check_process();
                self.start_server();
            }
            131 if self.random.random_ratio(1, 12) => {
                self.connection.set_reading(true);
                self.shut_down();
                self.start_server();
            }
            _ => self.send_random_request(),
        }
    }

    fn edit(&mut self, index: usize) {
        let encoding = self.encoding;
        let document = &self.documents[index];
        if !document.is_open {
            self.documents[index].text = self.random_text(index);
            return self.open_again(index);
        }
        let mut changes = Vec::new();
        for _ in 0..*[0, 1, 1, 1, 1, 1, 1, 2, 3, 5].choose(&mut self.random).expect("some") {
            let document = &self.documents[index];
            let mut change = if document.is_endless {
                // Inside its comment.
                let at = (2, 2 + self.random.random_range(0..9));
                Change { range: Some([at, at]), text: "é🙂 x".to_owned() }
            } else {
                random_change(&mut self.random, &document.text, encoding, &self.programs)
            };
            if document.text.len() > LONG {
                change = Change { range: None, text: self.random_text(index) };
            } else if self.random.random_ratio(1, 30) && !document.is_endless {
                change.text.push_str(TESTS_WITH_FILES.choose(&mut self.random).expect("some"));
            }
            if self.random.random_ratio(1, 40) && !self.documents[index].is_endless {
                change.text.push(LONE_SURROGATE);
            }
            let mut sent = change.json();
            if self.random.random_ratio(1, 10) && change.range.is_some() {
                // Old clients send this field. It is ignored.
                sent["rangeLength"] = self.random.random_range(0..9).into();
            }
            changes.push(sent);
            change.text = change.text.replace(LONE_SURROGATE, "\u{fffd}");
            change.apply(&mut self.documents[index].text, encoding);
        }
        self.send_changes(index, &changes);
    }

    fn change_settings(&mut self) {
        let settings = [
            Value::Null,
            json!({"severity": {"unused-register": "off", "never-read": "error"}}),
            json!({"severity": {"non-causal": "error", "failing-test": "off"}, "showResults": false, "showStatus": true}),
            json!({"inlayHints": {"values": false, "layers": false}}),
            json!({"inlayHints": {"domains": false}, "severity": {"not-portable": "warning"}}),
            json!({"severity": 7, "inlayHint": {}, "inlayHints": {"values": "no"}}),
            json!([7]),
        ];
        let settings = settings.choose(&mut self.random).expect("some").clone();
        let way = self.random.random_range(0..4);
        if way == 0 && !self.can("/workspace/configuration") {
            // Without a value and without a request for it, there are no settings.
            self.settings = Value::Null;
            self.notify("workspace/didChangeConfiguration", &json!({"settings": {}}));
        } else if way < 2 && self.can("/workspace/configuration") && self.answers == Answers::All {
            self.settings = settings;
            self.notify("workspace/didChangeConfiguration", &json!({"settings": null}));
        } else {
            self.settings = settings;
            self.notify("workspace/didChangeConfiguration", &json!({"settings": {"psl": self.settings}}));
        }
    }

    fn change_folders(&mut self) {
        let roots = self.disk.roots();
        let folder = |uri: &String| json!({"uri": uri, "name": "folder"});
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for root in &roots {
            match self.random.random_range(0..6) {
                0 => removed.push(root),
                1 => added.push(root),
                _ => {}
            }
        }
        self.folders.retain(|folder| !removed.contains(&folder));
        self.folders.extend(added.iter().map(|root| (*root).clone()));
        let [added, removed] = [added, removed].map(|list| list.into_iter().map(folder).collect::<Vec<_>>());
        self.notify("workspace/didChangeWorkspaceFolders", &json!({"event": {"added": added, "removed": removed}}));
    }

    /// Sends an invalid message.
    fn send_nonsense(&mut self, index: usize) {
        let uri = self.documents[index].uri.clone();
        let of = json!({"uri": uri, "version": self.documents[index].version});
        match self.random.random_range(0..8) {
            0..2 => {
                let body = *NO_MESSAGES.choose(&mut self.random).expect("some");
                self.ledger.expect_refusals(1);
                self.send_bytes(framed(body));
            }
            2 => {
                self.may_be_in_doubt = true;
                self.ledger.outdate(None);
                let changes = [json!(7), json!([{"range": 7, "text": ""}]), json!([{"text": null}]), json!([[]])];
                let changes = changes.choose(&mut self.random).expect("some");
                self.notify("textDocument/didChange", &json!({"textDocument": of, "contentChanges": changes}));
                self.strays.insert(uri);
            }
            3 => {
                self.may_be_in_doubt = true;
                self.ledger.outdate(None);
                let method = *["textDocument/didChange", "textDocument/didClose", "textDocument/didOpen"]
                    .choose(&mut self.random)
                    .expect("some");
                self.notify(method, &json!({}));
            }
            4 => {
                // A document that was never opened.
                let uri = format!("file:///nowhere/stray{}.psl", self.random.random_range(0..3));
                let of = json!({"uri": uri, "version": 2});
                if self.random.random_ratio(1, 2) {
                    self.notify("textDocument/didChange", &json!({"textDocument": of, "contentChanges": []}));
                    self.strays.insert(uri);
                } else {
                    self.notify("textDocument/didClose", &json!({"textDocument": of}));
                    self.strays.remove(&uri);
                }
            }
            5 => {
                let methods =
                    ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "$/cancelRequest"];
                let method = *methods.choose(&mut self.random).expect("some");
                self.notify(method, &json!({}));
            }
            6 => {
                let id = [json!(1_000_000), json!("x"), Value::Null, json!(1_u64 << 40)];
                let id = id.choose(&mut self.random).expect("some");
                // The server's own requests have small ids.
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
            }
            _ => self.notify("$/noSuchThing", &json!({"value": of})),
        }
    }

    fn cancel_request(&mut self) {
        let recent = self.ids.len().saturating_sub(30);
        let id = match self.random.random_range(0..10) {
            0 => json!("never sent"),
            1 => json!(-1.5),
            _ => self.ids[recent..].choose(&mut self.random).cloned().unwrap_or_default(),
        };
        self.ledger.cancel(&id);
        let message = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}});
        self.send_through_noise(&message, false);
    }

    fn cancel_work(&mut self) {
        let recent = self.tokens.len().saturating_sub(4);
        let token = self.tokens[recent..].choose(&mut self.random).cloned().unwrap_or_else(|| "none".into());
        if self.random.random_ratio(1, 2) {
            self.ledger.cancel_work(&token);
            self.notify("window/workDoneProgress/cancel", &json!({"token": token}));
        } else if let Some(token) = self.token_of_server.take() {
            self.ledger.cancel_any_work();
            self.notify("window/workDoneProgress/cancel", &json!({"token": token}));
        }
    }
}

//! The messages of the Debug Adapter Protocol.

use std::{
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_host::framing::write;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The number of the run's thread.
pub const RUN: i64 = 1;
/// The number of the thread of a second machine.
pub const SECOND: i64 = 2;

/// A request as it arrives.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// The number of the message.
    pub seq: i64,
    /// The name of the request.
    pub command: String,
    /// The arguments, or null.
    #[serde(default)]
    pub arguments: Value,
}

/// The output to the client.
pub struct Client {
    out: Mutex<Numbered>,
    /// Set when the client has stopped reading.
    gone: AtomicBool,
}

struct Numbered {
    out: Box<dyn Write + Send>,
    seq: i64,
}

impl Client {
    /// Writes to this output.
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Self { out: Mutex::new(Numbered { out, seq: 0 }), gone: AtomicBool::new(false) }
    }

    /// Whether the client has stopped reading.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    pub fn answer(&self, request: &Message, answer: Result<Value, Refusal>) {
        let Message { seq, command, .. } = request;
        let of_request =
            |success| json!({ "type": "response", "request_seq": seq, "command": command, "success": success });
        let mut message = of_request(answer.is_ok());
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => set(&mut message, "body", body),
            Err(refusal) => {
                let why = refusal.to_string();
                set(&mut message, "message", Value::from(why.as_str()));
                // The braces of a format are variables.
                let show = refusal.is_shown();
                let error = json!({ "id": 1, "format": "{why}", "variables": { "why": why }, "showUser": show });
                set(&mut message, "body", json!({ "error": error }));
            }
        }
        self.send(message);
    }

    /// Sends an event.
    pub fn event(&self, event: &str, body: Value) {
        let mut message = json!({ "type": "event", "event": event });
        if !body.is_null() {
            set(&mut message, "body", body);
        }
        self.send(message);
    }

    /// Prints text in the client's console. `category` is `console`, `stdout`, `stderr` or `important`.
    pub fn print(&self, category: &str, text: &str) {
        self.event("output", json!({ "category": category, "output": text }));
    }

    fn send(&self, mut message: Value) {
        let mut numbered = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        numbered.seq += 1;
        set(&mut message, "seq", numbered.seq.into());
        if write(&mut numbered.out, &message.to_string()).is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }
}

fn set(message: &mut Value, name: &str, value: Value) {
    if let Some(object) = message.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

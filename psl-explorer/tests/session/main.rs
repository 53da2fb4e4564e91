//! All requests, as a page sends them.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]
#![allow(clippy::needless_pass_by_value, reason = "requests are written where they are sent")]

#[path = "../../../psl-runtime/tests/common/common.rs"]
mod common;

mod answers;
mod debugger;
mod grid;
mod heads;
mod patch;
mod refusals;
mod set;
mod values;

use psl_explorer::PageSession;
use serde_json::{Value, json};

const PARGEN: &str = include_str!("../../../examples/pargen.psl");

/// An open program.
struct Page(PageSession);

impl Page {
    fn new(text: &str) -> Self {
        let mut page = Self(PageSession::default());
        page.ask(json!({"op": "open", "text": text}));
        page
    }

    /// A page with the run of a prompt in slot 0.
    fn with_run(text: &str, prompt: impl Into<Value>) -> (Self, Value) {
        let mut page = Self::new(text);
        let run = page.run(0, prompt);
        (page, run)
    }

    fn run(&mut self, slot: usize, prompt: impl Into<Value>) -> Value {
        self.ask(json!({"op": "run", "slot": slot, "prompt": prompt.into(), "machine": "dat"}))
    }

    fn ask(&mut self, request: Value) -> Value {
        let mut answer = self.send(&request.to_string());
        assert_eq!(answer["error"], Value::Null, "{request}");
        answer["ok"].take()
    }

    fn refusal(&mut self, request: Value) -> String {
        let answer = self.send(&request.to_string());
        answer["error"].as_str().unwrap_or_else(|| panic!("{request} has an answer: {answer}")).to_owned()
    }

    fn send(&mut self, request: &str) -> Value {
        serde_json::from_str(&self.0.call(request)).expect("JSON")
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

//! The stops of a session.

use psl_debug::Exception;
use serde_json::{Value, json};

use crate::transport::protocol::{Client, RUN};

/// A stop of a session.
pub struct Stop {
    /// The reason of the protocol, such as `step`.
    pub reason: &'static str,
    /// A text for people, or `None` if the reason suffices.
    pub description: Option<String>,
    /// The breakpoints that were hit.
    pub breakpoints: Vec<usize>,
    /// The fault that was hit.
    pub exception: Option<Exception>,
    /// Lines to print before the stop.
    pub output: Vec<String>,
}

impl Stop {
    /// A stop whose reason suffices.
    pub fn new(reason: &'static str) -> Self {
        Self { reason, description: None, breakpoints: Vec::new(), exception: None, output: Vec::new() }
    }

    /// A stop with a text for people.
    pub fn described(reason: &'static str, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..Self::new(reason) }
    }

    /// Prints the logged lines, then sends the event `stopped`.
    pub fn tell(&self, client: &Client) {
        for line in &self.output {
            client.print("console", &format!("{line}\n"));
        }
        let mut body = json!({ "reason": self.reason, "threadId": RUN, "allThreadsStopped": true });
        if let (Some(object), Some(words)) = (body.as_object_mut(), &self.description) {
            object.insert("description".to_owned(), Value::from(words.as_str()));
            object.insert("text".to_owned(), Value::from(words.as_str()));
        }
        if let (Some(object), false) = (body.as_object_mut(), self.breakpoints.is_empty()) {
            object.insert("hitBreakpointIds".to_owned(), Value::from(self.breakpoints.clone()));
        }
        client.event("stopped", body);
    }
}

//! The end of a run without debugging.

use psl_debug::Debugger;
use serde_json::{Value, json};

use crate::transport::protocol::Client;

/// The result of a run that has ended.
pub struct Ending {
    /// The continuation, or `None` if the run failed.
    continuation: Option<String>,
    /// The reason why the run failed, or the difference from the test.
    problem: Option<String>,
}

impl Ending {
    /// The result of a debugger's run.
    pub fn of(debugger: &Debugger) -> Self {
        match debugger.run().outcome() {
            Err(failure) => Self { continuation: None, problem: Some(failure.message.clone()) },
            Ok(continuation) => {
                let gold = debugger.gold().filter(|gold| !continuation.is(gold));
                let problem = gold.map(|gold| format!("the test fails: expected {gold}"));
                Self { continuation: Some(continuation.shown()), problem }
            }
        }
    }

    /// Prints the result, and sends the events `exited` and `terminated`. A test that fails ends with the code 1, as in
    /// `psl test`.
    pub fn tell(&self, client: &Client) {
        if let Some(continuation) = &self.continuation {
            client.print("stdout", &format!("{continuation}\n"));
        }
        if let Some(problem) = &self.problem {
            client.print("stderr", &format!("{problem}\n"));
        }
        client.event("exited", json!({ "exitCode": i32::from(self.problem.is_some()) }));
        client.event("terminated", Value::Null);
    }
}

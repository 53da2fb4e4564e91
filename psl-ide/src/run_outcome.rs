//! What a run gave.

use psl_syntax::program::TestPrompt;

use crate::runner::{Continuation, RunFailure};

/// What a run gave.
pub struct RunOutcome {
    /// The prompt.
    pub prompt: TestPrompt,
    /// The test that was asked for, by its index.
    pub test: Option<usize>,
    /// The continuation, or why there is none.
    pub result: Result<Continuation, RunFailure>,
    /// How often each production fired: entry i is layer i + 1; empty where nobody counted.
    pub fired: Vec<usize>,
    /// How a failed test came to its continuation, in words.
    pub explanation: Option<String>,
    /// What its prompt does that the program does not declare.
    pub note: Option<String>,
}

//! The outcome of a run.

use crate::{prompt::Prompt, test_report::Outcome};

/// The outcome of a run.
pub struct RunOutcome {
    /// The prompt.
    pub prompt: Prompt,
    /// The index of the requested test.
    pub test: Option<usize>,
    /// The continuation, or the failure.
    pub gave: Outcome,
    /// The number of times each production fired: entry i is layer i + 1. Empty if nobody counted.
    pub fired: Vec<usize>,
    /// A note about undeclared parts of the prompt.
    pub note: Option<String>,
}

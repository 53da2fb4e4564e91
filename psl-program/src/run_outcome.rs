//! A prompt that was run, and its outcome.

use crate::{prompt::Prompt, test_report::Outcome};

/// A prompt that was run, and its outcome.
pub struct RunOutcome {
    /// The prompt as [`crate::run`] chose it.
    pub prompt: Prompt,
    /// The 0-based index of the requested test, or `None` if no test was requested.
    pub test: Option<usize>,
    /// The continuation, or the failure.
    pub outcome: Outcome,
    /// The number of times each production fired: entry i is layer i + 1. Empty if the run did not count.
    pub fired: Vec<usize>,
    /// A note about undeclared parts of the prompt, or `None` if it has none.
    pub note: Option<String>,
}

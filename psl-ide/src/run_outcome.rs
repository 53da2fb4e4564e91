//! What a run gave.

use psl_syntax::program::TestPrompt;

use crate::test_report::Outcome;

/// What a run gave.
pub struct RunOutcome {
    /// The prompt.
    pub prompt: TestPrompt,
    /// The test that was asked for, by its index.
    pub test: Option<usize>,
    /// What it gave.
    pub gave: Outcome,
    /// How often each production fired: entry i is layer i + 1; empty where nobody counted.
    pub fired: Vec<usize>,
    /// What its prompt does that the program does not declare.
    pub note: Option<String>,
}

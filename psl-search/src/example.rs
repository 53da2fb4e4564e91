//! The examples that a program should complete.

use psl_syntax::{Program, program::TestPrompt};

/// A prompt with its expected continuation or row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The prompt, as a test writes it.
    pub prompt: TestPrompt,
    /// The symbols of the continuation or row, separated by spaces.
    pub gold: String,
    /// Whether a row is expected.
    pub row: bool,
}

impl Example {
    /// The tests of a program, in order.
    pub fn of_tests(program: &Program) -> Vec<Self> {
        let example = |test: &psl_syntax::program::TestCase| Self {
            prompt: test.prompt.clone(),
            gold: test.gold.clone(),
            row: test.row,
        };
        program.tests.iter().map(example).collect()
    }
}

//! The examples that a program should complete.

use psl_syntax::{Program, program::TestPrompt};

/// A prompt with its expected continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The prompt, as a test writes it.
    pub prompt: TestPrompt,
    /// The symbols of the continuation, separated by spaces.
    pub gold: String,
}

impl Example {
    /// The tests of a program, in order.
    pub fn of_tests(program: &Program) -> Vec<Self> {
        let example =
            |test: &psl_syntax::program::TestCase| Self { prompt: test.prompt.clone(), gold: test.gold.clone() };
        program.tests.iter().map(example).collect()
    }
}

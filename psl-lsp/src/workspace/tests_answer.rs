//! The answer to `psl.tests` for all programs, of limited size.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    commands::TestCounts,
    refusal::Refusal,
    to_proto::{self, to_json},
    uri::Url,
};

/// The tests of the programs in the folders.
pub struct WorkspaceTests {
    /// A list in JSON with one entry per program, sorted by path.
    pub json: String,
    /// The numbers of passed and failed tests, if they have run.
    pub counts: TestCounts,
    /// Messages about problems that hide part of the folders.
    pub problems: BTreeSet<String>,
    /// A message about programs that do not fit into the answer. `None` if all fit.
    pub left_out: Option<String>,
}

/// An answer under construction.
pub struct TestsAnswer {
    json: String,
    most: usize,
    counts: TestCounts,
}

impl TestsAnswer {
    /// Starts an answer that ends with the program at which it exceeds `most` bytes of JSON.
    pub fn new(most: usize) -> Self {
        Self { json: String::new(), most, counts: TestCounts::default() }
    }

    /// Whether the answer is full.
    pub fn is_full(&self) -> bool {
        self.json.len() >= self.most
    }

    /// Adds the tests of a program, if it has any.
    ///
    /// # Errors
    ///
    /// Fails only if the server has a defect.
    pub fn add(&mut self, uri: &Url, tests: &[Value], counts: TestCounts) -> Result<(), Refusal> {
        if tests.is_empty() {
            return Ok(());
        }
        self.json.push(if self.json.is_empty() { '[' } else { ',' });
        self.json.push_str(&to_json(&to_proto::program_tests(uri, tests))?);
        self.counts.passed += counts.passed;
        self.counts.failed += counts.failed;
        Ok(())
    }

    /// Finishes the answer, without `left_out` programs, and with problems that hide part of the folders.
    pub fn end(mut self, left_out: usize, problems: BTreeSet<String>) -> WorkspaceTests {
        self.json.push_str(if self.json.is_empty() { "[]" } else { "]" });
        let megabytes = self.most / 1_000_000;
        let message = format!(
            "the tests of {left_out} more programs are left out: the limit is {megabytes} MB; `psl test` runs all tests"
        );
        let Self { json, counts, .. } = self;
        WorkspaceTests { json, counts, problems, left_out: (left_out > 0).then_some(message) }
    }
}

//! The answer to `psl.tests` for all programs, of bounded size.

use std::collections::BTreeSet;

use lsp_types::Url;
use serde_json::Value;

use crate::{
    commands::TestCounts,
    refusal::Refusal,
    to_proto::{self, to_json},
};

/// The tests of the programs in the folders.
pub struct WorkspaceTests {
    /// A list in JSON, with the tests of a program in each entry, in the order of their paths.
    pub json: String,
    /// How many passed and failed, where they have run.
    pub counts: TestCounts,
    /// What keeps from telling what is in the folders, in words.
    pub problems: BTreeSet<String>,
    /// How many programs would have made the answer too large, in words; nothing where none is left out.
    pub left_out: Option<String>,
}

/// An answer in the making.
pub struct TestsAnswer {
    json: String,
    most: usize,
    counts: TestCounts,
}

impl TestsAnswer {
    /// One that ends with the program whose tests make it as long as this, in bytes of JSON.
    pub fn new(most: usize) -> Self {
        Self { json: String::new(), most, counts: TestCounts::default() }
    }

    /// Whether nothing more goes in.
    pub fn is_full(&self) -> bool {
        self.json.len() >= self.most
    }

    /// Adds the tests of a program, if it has some.
    ///
    /// # Errors
    ///
    /// A defect of the server.
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

    /// The answer, without as many programs, and with what keeps from telling what is in the folders.
    pub fn end(mut self, left_out: usize, problems: BTreeSet<String>) -> WorkspaceTests {
        self.json.push_str(if self.json.is_empty() { "[]" } else { "]" });
        let megabytes = self.most / 1_000_000;
        let in_words = format!(
            "an answer holds {megabytes} MB of tests: {left_out} more programs are not looked at; `psl test` runs the tests of all"
        );
        let Self { json, counts, .. } = self;
        WorkspaceTests { json, counts, problems, left_out: (left_out > 0).then_some(in_words) }
    }
}

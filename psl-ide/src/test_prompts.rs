//! The structured prompts of a program's tests: the files that `//@ test … json "FILE"` lines name.

use std::collections::HashMap;

use psl_syntax::program::{TestCase, TestPrompt};

use crate::structured_prompt::StructuredPrompt;

/// What the files held when they were read, or why there was no structured prompt in them, by their paths as the tests spell them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestPrompts(HashMap<String, Result<StructuredPrompt, String>>);

impl TestPrompts {
    /// Reads each file that a test names; `read` gives its content, or says in words why there is none.
    pub fn read(tests: &[TestCase], read: impl Fn(&str) -> Result<String, String>) -> Self {
        let files = json_files(tests).map(|file| {
            let cells = read(file).and_then(|text| StructuredPrompt::parse(&text));
            (file.to_owned(), cells.map_err(|why| format!("the prompt in {file}: {why}")))
        });
        Self(files.collect())
    }

    /// The prompt in a file.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    pub fn get(&self, file: &str) -> Result<&StructuredPrompt, String> {
        match self.0.get(file) {
            Some(cells) => cells.as_ref().map_err(Clone::clone),
            None => Err(format!("no test names the file {file}")),
        }
    }
}

/// The files that tests name, as the tests spell them.
pub fn json_files(tests: &[TestCase]) -> impl Iterator<Item = &str> {
    tests.iter().filter_map(|test| match &test.prompt {
        TestPrompt::Json(file) => Some(file.as_str()),
        TestPrompt::Plain(_) => None,
    })
}

//! The structured prompts of a program's tests: the files named in `//@ test … json "FILE"`.

use std::collections::HashMap;

use psl_syntax::program::{TestCase, TestPrompt};

use crate::structured_prompt::StructuredPrompt;

/// The content of each file when it was read, or the reason why it has no structured prompt, by the path that the tests
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestPrompts(HashMap<String, Result<StructuredPrompt, String>>);

impl TestPrompts {
    /// Reads each file that a test names. `read` returns its content or an error message.
    pub fn read(tests: &[TestCase], read: impl Fn(&str) -> Result<String, String>) -> Self {
        let files = json_files(tests).map(|file| {
            let cells = read(file).and_then(|text| StructuredPrompt::parse(&text));
            (file.to_owned(), cells.map_err(|why| format!("the prompt in {file}: {why}")))
        });
        Self(files.collect())
    }

    /// Returns the prompt in a file.
    ///
    /// # Errors
    ///
    /// Returns a message if the file has no structured prompt.
    pub fn get(&self, file: &str) -> Result<&StructuredPrompt, String> {
        match self.0.get(file) {
            Some(cells) => cells.as_ref().map_err(Clone::clone),
            None => Err(format!("no test names the file {file}")),
        }
    }
}

/// The files that tests name, as written.
pub fn json_files(tests: &[TestCase]) -> impl Iterator<Item = &str> {
    tests.iter().filter_map(|test| match &test.prompt {
        TestPrompt::Json(file) => Some(file.as_str()),
        TestPrompt::Plain(_) => None,
    })
}

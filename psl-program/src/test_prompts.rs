//! The structured prompts of a program's tests: the files named in `//@ test … json "FILE"`.

use std::collections::HashMap;

use psl_syntax::program::{TestCase, TestPrompt};
use thiserror::Error;

use crate::structured_prompt::{NotAPrompt, StructuredPrompt};

/// The content of each file when it was read, or the reason why it has no structured prompt, by the path that the tests
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestPrompts(HashMap<String, Result<StructuredPrompt, NoPrompt>>);

/// The reason why a file has no structured prompt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPrompt {
    /// The file cannot be read.
    #[error("the prompt in {file}: {why}")]
    Unreadable {
        /// The path that the tests name.
        file: String,
        /// The error message of `read`: see [`TestPrompts::read`].
        why: String,
    },
    /// The content is not a structured prompt.
    #[error("the prompt in {file}: {why}")]
    Invalid {
        /// The path that the tests name.
        file: String,
        /// The reason.
        why: NotAPrompt,
    },
    /// No test names the file.
    #[error("no test names the file {0}")]
    Unnamed(String),
}

impl TestPrompts {
    /// Reads each file that a test names. `read` returns its content or an error message.
    pub fn read(tests: &[TestCase], read: impl Fn(&str) -> Result<String, String>) -> Self {
        let files = json_files(tests).map(|file| {
            let text = read(file).map_err(|why| NoPrompt::Unreadable { file: file.to_owned(), why });
            let parse = |text: String| {
                StructuredPrompt::parse(&text).map_err(|why| NoPrompt::Invalid { file: file.to_owned(), why })
            };
            (file.to_owned(), text.and_then(parse))
        });
        Self(files.collect())
    }

    /// Returns the prompt in a file.
    ///
    /// # Errors
    ///
    /// Fails if the file has no structured prompt.
    pub fn get(&self, file: &str) -> Result<&StructuredPrompt, NoPrompt> {
        match self.0.get(file) {
            Some(cells) => cells.as_ref().map_err(Clone::clone),
            None => Err(NoPrompt::Unnamed(file.to_owned())),
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

//! The options that choose one prompt for a program.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use psl_program::{Prompt, TestName};

use super::{
    paths::is_stdin,
    program_file::{ProgramFile, read_structured_prompt},
};
use crate::failure::Failure;

/// A prompt, a file with one, or a test.
#[derive(clap::Args)]
pub struct ChosenPrompt {
    /// Prompt, symbols separated by spaces [default: the first test's].
    #[arg(short, long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// File with a structured prompt, or - for standard input.
    #[arg(long, value_name = "CELLS.json", value_hint = ValueHint::FilePath, conflicts_with = "prompt")]
    prompt_json: Option<PathBuf>,
    /// Test to run, by its name.
    ///
    /// A test without a name has the name `test` and its number in the file.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["prompt", "prompt_json"])]
    test: Option<String>,
}

impl ChosenPrompt {
    /// The file of a structured prompt.
    pub fn json_file(&self) -> Option<&PathBuf> {
        self.prompt_json.as_ref()
    }

    /// Refuses a program and a prompt that would both be read from standard input.
    pub fn check_stdin(&self, program: &Path) -> Result<(), Failure> {
        if is_stdin(program) && self.prompt_json.as_deref().is_some_and(is_stdin) {
            return Err(Failure::both_from_stdin("the program", "the prompt", "a file"));
        }
        Ok(())
    }

    /// The prompt.
    pub fn read(&self, source: &ProgramFile) -> Result<Prompt, Failure> {
        if let Some(prompt) = &self.prompt {
            return Ok(Prompt::Plain(prompt.clone()));
        }
        if let Some(path) = &self.prompt_json {
            return read_structured_prompt(path).map(Prompt::Structured);
        }
        let index = match &self.test {
            Some(name) => source.test_index(name)?,
            None if source.file.program().tests.is_empty() => {
                let message = format!("{}: the program has no tests: give a prompt with --prompt", source.shown_name());
                return Err(Failure::Message(message));
            }
            None => 0,
        };
        Ok(Prompt::Test(TestName::Index(index)))
    }
}

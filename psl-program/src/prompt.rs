//! A prompt to run, however it was chosen.

use psl_runtime::{Options, RunFailure, Task};
use psl_syntax::program::{Program, TestCase, TestPrompt};
use serde_json::Value;

use crate::{
    runner::Runner,
    structured_prompt::StructuredPrompt,
    test_name::{TestName, UnknownTest},
};

/// A prompt to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// Symbols separated by spaces.
    Plain(String),
    /// Cells that set registers.
    Structured(StructuredPrompt),
    /// The cells in a file that a test names, as written in the test.
    File(String),
    /// The prompt of a test, whose gold the continuation is compared with.
    Test(TestName),
}

impl From<&TestPrompt> for Prompt {
    fn from(written: &TestPrompt) -> Self {
        match written {
            TestPrompt::Plain(symbols) => Self::Plain(symbols.clone()),
            TestPrompt::Json(file) => Self::File(file.clone()),
        }
    }
}

impl Prompt {
    /// Returns the test whose prompt it is and its 0-based index, or `None` if it was given without a test.
    ///
    /// # Errors
    ///
    /// Fails if the program lacks the test.
    pub fn test<'p>(&self, program: &'p Program) -> Result<Option<(usize, &'p TestCase)>, UnknownTest> {
        match self {
            Self::Test(name) => name.find(program).map(Some),
            Self::Plain(_) | Self::Structured(_) | Self::File(_) => Ok(None),
        }
    }
}

impl Runner {
    /// Creates the run of a prompt with these options. That of a test with a row has a row.
    ///
    /// # Errors
    ///
    /// Fails if the program lacks the test or a register of a cell, if a file cannot be used, or if the program was
    /// loaded from weights that lack a value or a position.
    pub fn prompt_task(&self, prompt: &Prompt, options: &Options) -> Result<Task, RunFailure> {
        match prompt {
            Prompt::Plain(symbols) => self.task_with(symbols, options),
            Prompt::Structured(cells) => self.structured_task(cells, options),
            Prompt::File(file) => self.structured_task(self.prompts().get(file)?, options),
            Prompt::Test(name) => {
                let (_, test) = name.find(&self.executable().program)?;
                self.prompt_task(&Prompt::from(&test.prompt), &self.expecting(test.row, options.clone())?)
            }
        }
    }

    /// Creates the run of a test's prompt, with the options of the program's directives.
    ///
    /// # Errors
    ///
    /// Fails if the file with the prompt cannot be used, or if the program was loaded from weights that lack a symbol
    /// or a position.
    pub fn test_task(&self, test: &TestCase) -> Result<Task, RunFailure> {
        let options = self.expecting(test.row, self.options(&Options::default()))?;
        self.prompt_task(&Prompt::from(&test.prompt), &options)
    }

    /// Returns a note about undeclared parts of a prompt, if there are any.
    pub fn prompt_note(&self, prompt: &Prompt) -> Option<String> {
        match prompt {
            Prompt::Plain(_) => None,
            Prompt::Structured(cells) => self.note(cells),
            Prompt::File(file) => self.note(self.prompts().get(file).ok()?),
            Prompt::Test(name) => self.prompt_note(&self.prompt_of(name).ok()?),
        }
    }

    /// Returns a prompt as JSON: its symbols, or its cells. Null if its file cannot be used or its test is unknown.
    pub fn prompt_to_json(&self, prompt: &Prompt) -> Value {
        match prompt {
            Prompt::Plain(symbols) => Value::from(symbols.as_str()),
            Prompt::Structured(cells) => cells.to_json(),
            Prompt::File(file) => self.prompts().get(file).map_or(Value::Null, StructuredPrompt::to_json),
            Prompt::Test(name) => self.prompt_of(name).map_or(Value::Null, |prompt| self.prompt_to_json(&prompt)),
        }
    }

    /// The prompt of a test, as written in the test.
    fn prompt_of(&self, name: &TestName) -> Result<Prompt, UnknownTest> {
        Ok(Prompt::from(&name.find(&self.executable().program)?.1.prompt))
    }
}

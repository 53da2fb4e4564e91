//! The values and positions that the weights of a program need for its prompts.

use indexmap::IndexSet;
use psl_runtime::Vocabulary;
use psl_syntax::program::TestPrompt;

use crate::{runner::Runner, test_prompts::NoPrompt};

/// The cells assumed for a program without tests.
const CELLS: usize = 16;

/// The values and positions that some prompts need.
#[derive(Debug, Default)]
pub struct VocabularyNeeds {
    /// The number of cells of the longest prompt.
    pub cells: usize,
    /// The values.
    pub values: IndexSet<String>,
}

impl VocabularyNeeds {
    /// The needs of a program's tests.
    ///
    /// # Errors
    ///
    /// Fails if a test's file has no structured prompt.
    pub fn of_tests(runner: &Runner) -> Result<Self, NoPrompt> {
        let mut needs = Self::default();
        // A law takes the symbols that are there.
        let tests = runner.executable().program.tests.iter();
        for test in tests.filter(|test| test.law.is_none()) {
            match &test.prompt {
                TestPrompt::Plain(symbols) => needs.add(symbols.split_whitespace()),
                TestPrompt::Json(file) => {
                    let cells = runner.prompts().get(file)?;
                    needs.values.extend(cells.values().map(str::to_owned));
                    needs.cells = needs.cells.max(cells.cell_count());
                }
            }
        }
        Ok(needs)
    }

    /// Adds the symbols of a plain prompt.
    pub fn add<'t>(&mut self, symbols: impl Iterator<Item = &'t str>) {
        let mut cells = 0;
        for symbol in symbols {
            cells += 1;
            if !self.values.contains(symbol) {
                self.values.insert(symbol.to_owned());
            }
        }
        self.cells = self.cells.max(cells);
    }

    /// The last position that prompts of this length and their continuations need.
    pub fn last_position(&self, max_new: Option<usize>) -> usize {
        let longest = if self.cells == 0 { CELLS } else { self.cells };
        Vocabulary::last_position(longest, max_new.unwrap_or(longest.max(CELLS)))
    }

    /// A vocabulary of constants and these values, with the positions from 0 to `last`.
    pub fn vocabulary(&self, constants: &[&str], last: usize) -> Vocabulary {
        let values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        Vocabulary::with_positions(constants, &values, last)
    }
}

//! Reads prompts in a terminal, with history.

use rustyline::{DefaultEditor, error::ReadlineError};

use crate::failure::Failure;

/// A line editor with the history of the session.
pub struct LineEditor(DefaultEditor);

impl LineEditor {
    /// Opens the terminal.
    pub fn open() -> Result<Self, Failure> {
        DefaultEditor::new().map(Self).map_err(|error| unreadable(&error))
    }

    /// Reads a prompt after a mark, or returns `None` at Ctrl-D. Ctrl-C discards the line.
    pub fn read(&mut self, mark: &str) -> Result<Option<String>, Failure> {
        loop {
            match self.0.readline(mark) {
                Ok(line) => {
                    self.0.add_history_entry(line.as_str()).map_err(|error| unreadable(&error))?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(unreadable(&error)),
            }
        }
    }
}

fn unreadable(error: &ReadlineError) -> Failure {
    Failure::Message(format!("cannot read prompts from the terminal: {error}"))
}

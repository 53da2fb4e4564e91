//! Reads commands in a terminal, with history and completion.

use std::sync::Arc;

use psl_program::File;
use psl_record::debugger::console::{Completion, completions};
use rustyline::{
    Context, Helper, completion::Completer, error::ReadlineError, highlight::Highlighter, hint::Hinter,
    history::DefaultHistory, validate::Validator,
};

use crate::failure::Failure;

/// The prompt for a command.
pub const PROMPT: &str = "(psl) ";

/// A line editor with the history of the session.
pub struct Editor(rustyline::Editor<Names, DefaultHistory>);

impl Editor {
    /// Opens the terminal, with completions for a program.
    pub fn open(program: Arc<File>) -> Result<Self, Failure> {
        let mut editor = rustyline::Editor::new().map_err(|error| unreadable(&error))?;
        editor.set_helper(Some(Names(program)));
        Ok(Self(editor))
    }

    /// Reads a command, or returns `None` at Ctrl-D. Ctrl-C discards the line.
    pub fn read(&mut self) -> Result<Option<String>, Failure> {
        loop {
            match self.0.readline(PROMPT) {
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
    Failure::Message(format!("cannot read commands from the terminal: {error}"))
}

/// Completes commands and the names of a program.
struct Names(Arc<File>);

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..end).unwrap_or_default();
        let found = completions(&self.0, typed);
        let start = found.iter().map(|completion| completion.start).min().unwrap_or(end);
        // The editor replaces the same text with each of them.
        let from_start =
            |Completion { start: own, text, .. }| format!("{}{text}", typed.get(start..own).unwrap_or_default());
        Ok((start, found.into_iter().map(from_start).collect()))
    }
}

impl Helper for Names {}

impl Highlighter for Names {}

impl Hinter for Names {
    type Hint = String;
}

impl Validator for Names {}

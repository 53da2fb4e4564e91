//! Reads commands in a terminal, with history and completion.

use std::sync::Arc;

use psl_debug::console::{Completion, completions};
use psl_program::File;
use rustyline::{Context, Helper, completion::Completer, highlight::Highlighter, hint::Hinter, validate::Validator};

use crate::{failure::Failure, input::line_editor::LineEditor};

/// The prompt for a command.
pub const PROMPT: &str = "(psl) ";

/// A line editor with the history of the session.
pub struct Editor(LineEditor<Names>);

impl Editor {
    /// Opens the terminal, with completions for a program.
    pub fn open(program: Arc<File>) -> Result<Self, Failure> {
        LineEditor::open("commands", Names(program)).map(Self)
    }

    /// Reads a command, or returns `None` at Ctrl-D. Ctrl-C discards the line.
    pub fn read(&mut self) -> Result<Option<String>, Failure> {
        self.0.read(PROMPT)
    }
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

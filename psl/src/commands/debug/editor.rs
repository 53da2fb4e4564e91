//! Reads commands in a terminal, with history and completion.

use psl_ide::debugger::console::COMMANDS;
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
    /// Opens the terminal.
    pub fn open() -> Result<Self, Failure> {
        let mut editor = rustyline::Editor::new().map_err(|error| unreadable(&error))?;
        editor.set_helper(Some(Names));
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

/// Completes the names of commands.
struct Names;

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..end).unwrap_or_default();
        // The argument of `help` is a command, too.
        let start = typed.strip_prefix("help ").map_or(0, |_| "help ".len());
        let word = typed.get(start..).unwrap_or_default();
        let names = COMMANDS.iter().map(|entry| entry.name).filter(|name| name.starts_with(word));
        Ok((start, names.map(str::to_owned).collect()))
    }
}

impl Helper for Names {}

impl Highlighter for Names {}

impl Hinter for Names {
    type Hint = String;
}

impl Validator for Names {}

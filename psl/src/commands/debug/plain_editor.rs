//! Reads commands from a terminal that edits lines by itself.

use std::{
    io::{self, Write},
    sync::Arc,
};

use psl_program::File;

use crate::failure::Failure;

/// The prompt for a command.
pub const PROMPT: &str = "(psl) ";

/// The terminal.
pub struct Editor;

impl Editor {
    /// Opens the terminal.
    pub fn open(_: Arc<File>) -> Result<Self, Failure> {
        Ok(Self)
    }

    /// Reads a command, or returns `None` at the end of the input.
    pub fn read(&mut self) -> Result<Option<String>, Failure> {
        let mut out = io::stdout();
        write!(out, "{PROMPT}")?;
        out.flush()?;
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let read = read.map_err(|error| Failure::Message(format!("cannot read standard input: {error}")))?;
        Ok((read > 0).then(|| line.trim_end().to_owned()))
    }
}

//! Failures that end a command.

use std::{error::Error, io, path::Path};

use crate::input::paths::name;

/// A failure outside the programs, such as an unreadable file or wrong usage. The process exits with 2.
#[derive(Debug)]
pub enum Failure {
    /// A message for standard error.
    Message(String),
    /// A failure that is already on standard error.
    Reported,
    /// An error writing to standard output.
    Output(io::Error),
}

impl Failure {
    /// Two arguments that would both read standard input.
    pub fn both_from_stdin(first: &str, second: &str, instead: &str) -> Self {
        Self::Message(format!("{first} and {second} cannot both come from standard input: give {second} by {instead}"))
    }

    /// An error with its own message.
    pub fn of(error: impl Error) -> Self {
        Self::Message(error.to_string())
    }

    /// A file that cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        Self::Message(format!("cannot read {}: {error}", name(path)))
    }

    /// A system that does not report Ctrl-C.
    pub fn interrupts(error: &io::Error) -> Self {
        Self::Message(format!("cannot listen to Ctrl-C: {error}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

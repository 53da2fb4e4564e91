//! What ends a command.

use std::{io, path::Path};

use crate::paths::name;

/// Something outside the programs that went wrong: a file that cannot be read, wrong usage. Ends the process with 2.
#[derive(Debug)]
pub enum Failure {
    /// In words.
    Message(String),
    /// Standard error has it already.
    Said,
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Standard input can be read only once.
    pub fn both_from_stdin(first: &str, second: &str, instead: &str) -> Self {
        Self::Message(format!("{first} and {second} cannot both come from standard input: give {second} by {instead}"))
    }

    /// A file cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        Self::Message(format!("cannot read {}: {error}", name(path)))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

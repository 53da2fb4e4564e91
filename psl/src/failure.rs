//! Failures that end a command.

use std::{error::Error, fmt::Display, io, path::Path};

use crate::{
    input::paths::{name, word},
    output::stdio::{print_to_stderr, say_failure},
};

/// A failure that ends a command. The process exits with 1 if the content of a file is wrong, and with 2 for a failure
/// outside the programs, such as an unreadable file or wrong usage.
#[derive(Debug)]
pub enum Failure {
    /// A file, by its name for messages, and the reason why its content cannot be used.
    Content(String, String),
    /// A program with errors, which are already on standard error.
    Errors,
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

    /// Prints the failure, unless it is on standard error already, and returns the exit code.
    pub fn report(self) -> u8 {
        match self {
            Self::Content(file, why) => {
                print_to_stderr(format_args!("error: {file}: {why}"));
                return 1;
            }
            Self::Message(message) => say_failure(&message),
            Self::Output(error) => print_to_stderr(format_args!("psl: cannot write to standard output: {error}")),
            Self::Errors => return 1,
            Self::Reported => {}
        }
        2
    }

    /// A file with wrong content.
    pub fn content(path: &Path, why: impl Display) -> Self {
        Self::Content(name(path), why.to_string())
    }

    /// Returns the failure for a command that needs the file to do anything.
    #[must_use]
    pub fn unreadable(self) -> Self {
        match self {
            Self::Content(file, why) => Self::Message(format!("cannot read {file}: {why}")),
            other => other,
        }
    }

    /// A file that cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let program = path.with_extension("psl");
        let exists = path.extension().is_none() && program.is_file();
        let meant = match word(&program) {
            Some(program) if exists => format!("; did you mean {program}?"),
            _ => String::new(),
        };
        Self::Message(format!("cannot read {}: {error}{meant}", name(path)))
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

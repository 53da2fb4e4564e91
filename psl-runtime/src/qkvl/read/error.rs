//! The error for a file that cannot be read.

use std::fmt;

/// The reason why a file is not a QKVL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The place, as a path such as `weights[3].weights.q.s`.
    pub place: String,
    /// The cause, such as `expected a list, found null`.
    pub cause: String,
    /// The suggestion.
    pub help: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for ReadError {}

pub(crate) type Read<T> = Result<T, ReadError>;

pub(crate) fn error<T>(place: &str, cause: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(ReadError { place: place.to_owned(), cause: cause.into(), help: help.into() })
}

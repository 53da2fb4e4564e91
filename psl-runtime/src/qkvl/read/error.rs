//! Why a file is refused.

use std::fmt;

/// Why a file is no QKVL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where, as a path such as `weights[3].weights.q.s`.
    pub place: String,
    /// What is wrong there.
    pub cause: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for ReadError {}

/// What reading gives.
pub(crate) type Read<T> = Result<T, ReadError>;

pub(crate) fn error<T>(place: &str, cause: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(ReadError { place: place.to_owned(), cause: cause.into(), help: help.into() })
}

//! The error for QKVL that cannot be decompiled.

use std::fmt;

/// The reason why no PSL program compiles to some QKVL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecompileError {
    /// The place: a layer by its number, 1-based, or a part of the file.
    pub place: String,
    /// The part that PSL cannot express.
    pub cause: String,
    /// The suggestion.
    pub help: String,
}

impl fmt::Display for DecompileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for DecompileError {}

pub(super) fn refuse<T>(
    place: impl Into<String>,
    cause: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, DecompileError> {
    Err(DecompileError { place: place.into(), cause: cause.into(), help: help.into() })
}

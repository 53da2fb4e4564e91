//! Why QKVL is refused.

use std::fmt;

/// Why no PSL program compiles to some QKVL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPsl {
    /// Where: a layer by its number, from 1, or a part of the file.
    pub place: String,
    /// What PSL cannot say there.
    pub cause: String,
    /// What it could.
    pub help: String,
}

impl fmt::Display for NoPsl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.cause, self.help)
    }
}

impl std::error::Error for NoPsl {}

/// Refuses.
pub(super) fn no_psl<T>(
    place: impl Into<String>,
    cause: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, NoPsl> {
    Err(NoPsl { place: place.into(), cause: cause.into(), help: help.into() })
}

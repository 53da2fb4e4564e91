//! The reason why a checkpoint cannot be read.

use std::fmt;

use serde::Deserialize;

/// The reason why a checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointError {
    /// The name of the file.
    pub file: &'static str,
    /// The reason.
    pub reason: String,
}

impl CheckpointError {
    pub(crate) fn new(file: &'static str, reason: impl Into<String>) -> Self {
        Self { file, reason: reason.into() }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for CheckpointError {}

/// Reads a file as JSON.
pub fn json<'b, T: Deserialize<'b>>(file: &'static str, bytes: &'b [u8]) -> Result<T, CheckpointError> {
    serde_json::from_slice(bytes).map_err(|error| CheckpointError::new(file, error.to_string()))
}

/// Fails with the first claim of a file that does not hold.
pub fn check_claims<const N: usize>(file: &'static str, claims: [(bool, String); N]) -> Result<(), CheckpointError> {
    let wrong = claims.into_iter().find(|(holds, _)| !holds);
    wrong.map_or(Ok(()), |(_, reason)| Err(CheckpointError::new(file, reason)))
}

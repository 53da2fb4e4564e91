//! Why a request has no result.

use psl_ide::RunRefusal;

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its parameters are not what it takes, in words.
    Parameters(String),
    /// Something else, in words.
    Failed(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<RunRefusal> for Refusal {
    fn from(refusal: RunRefusal) -> Self {
        match refusal {
            RunRefusal::Request(message) => Self::Parameters(message),
            RunRefusal::Failed(message) => Self::Failed(message),
        }
    }
}

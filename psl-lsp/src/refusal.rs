//! The reasons why a request has no result.

use psl_ide::SaveError;
use psl_program::{NotCompiled, RunFailure, RunRefusal};
use psl_search::NoSearch;
use psl_syntax::RenameError;
use thiserror::Error;

use crate::defect::Defect;

/// The reason why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The input is not JSON.
    #[error("{0}")]
    Malformed(String),
    /// The JSON is not a message, or the message is not allowed now.
    #[error("{0}")]
    Invalid(String),
    /// `initialize` has not been received.
    #[error("expected `initialize` first")]
    NotInitialized,
    /// The method is unknown.
    #[error("unknown method `{0}`")]
    UnknownMethod(String),
    /// The parameters are invalid.
    #[error("{0}")]
    Parameters(String),
    /// The request cannot be answered.
    #[error("{0}")]
    Failed(String),
    /// The client cancelled the request.
    #[error("the request was cancelled")]
    Cancelled,
    /// The document has changed or was closed, so the answer would be outdated.
    #[error("the program has changed since the request")]
    ContentModified,
    /// A broken invariant, which ended the work.
    #[error(transparent)]
    Defect(#[from] Defect),
    /// Another defect of the server.
    #[error("internal server error: report this bug")]
    Internal,
}

impl Refusal {
    /// The error code in JSON-RPC and the Language Server Protocol.
    pub fn code(&self) -> i64 {
        match self {
            Self::Malformed(_) => -32700,
            Self::Invalid(_) => -32600,
            Self::UnknownMethod(_) => -32601,
            Self::Parameters(_) => -32602,
            Self::Defect(_) | Self::Internal => -32603,
            Self::NotInitialized => -32002,
            Self::Failed(_) => -32803,
            Self::Cancelled => -32800,
            Self::ContentModified => -32801,
        }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<RunFailure> for Refusal {
    fn from(failure: RunFailure) -> Self {
        Self::Failed(failure.message)
    }
}

impl From<NotCompiled> for Refusal {
    fn from(error: NotCompiled) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<RenameError> for Refusal {
    fn from(error: RenameError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<SaveError> for Refusal {
    fn from(error: SaveError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<NoSearch> for Refusal {
    fn from(reason: NoSearch) -> Self {
        Self::Failed(reason.to_string())
    }
}

impl From<RunRefusal> for Refusal {
    fn from(refusal: RunRefusal) -> Self {
        match refusal {
            RunRefusal::UnknownTest(unknown) => Self::Parameters(unknown.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

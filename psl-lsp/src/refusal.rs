//! The reasons why a request has no result.

use psl_program::{NotCompiled, RunFailure, RunRefusal};

/// The reason why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The input is not JSON.
    Malformed(String),
    /// The JSON is not a message, or the message is not allowed now.
    Invalid(String),
    /// `initialize` has not been received.
    NotInitialized,
    /// The method is unknown.
    UnknownMethod(String),
    /// The parameters are invalid.
    Parameters(String),
    /// The request cannot be answered.
    Failed(String),
    /// The client cancelled the request.
    Cancelled,
    /// The document has changed or was closed, so the answer would be outdated.
    ContentModified,
    /// A defect of the server.
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
            Self::Internal => -32603,
            Self::NotInitialized => -32002,
            Self::Failed(_) => -32803,
            Self::Cancelled => -32800,
            Self::ContentModified => -32801,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Malformed(why) | Self::Invalid(why) | Self::Parameters(why) | Self::Failed(why) => why,
            Self::UnknownMethod(method) => return write!(out, "unknown method `{method}`"),
            Self::NotInitialized => "expected `initialize` first",
            Self::Cancelled => "the request was cancelled",
            Self::ContentModified => "the program has changed since the request",
            Self::Internal => "internal server error: report this bug",
        })
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

impl From<RunRefusal> for Refusal {
    fn from(refusal: RunRefusal) -> Self {
        match refusal {
            RunRefusal::Request(message) => Self::Parameters(message),
            RunRefusal::Failed(message) => Self::Failed(message),
        }
    }
}

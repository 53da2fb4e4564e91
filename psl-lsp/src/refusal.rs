//! Why a request has no result.

use lsp_types::error_codes;
use psl_ide::RunRefusal;

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// These bytes are not JSON, in words.
    Malformed(String),
    /// This JSON is not a message, or one that does not belong here, in words.
    Invalid(String),
    /// `initialize` has not come yet.
    NotInitialized,
    /// There is no such method.
    UnknownMethod(String),
    /// Its parameters are not what it takes, in words.
    Parameters(String),
    /// It cannot be answered, in words.
    Failed(String),
    /// The client no longer wants it.
    Cancelled,
    /// The document has changed or was closed: the answer would be about a text that is gone.
    ContentModified,
    /// A defect of the server.
    Internal,
}

impl Refusal {
    /// Its number in JSON-RPC and the Language Server Protocol.
    pub fn code(&self) -> i64 {
        match self {
            Self::Malformed(_) => -32700,
            Self::Invalid(_) => -32600,
            Self::UnknownMethod(_) => -32601,
            Self::Parameters(_) => -32602,
            Self::Internal => -32603,
            Self::NotInitialized => -32002,
            Self::Failed(_) => -32803,
            Self::Cancelled => error_codes::REQUEST_CANCELLED,
            Self::ContentModified => error_codes::CONTENT_MODIFIED,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Malformed(why) | Self::Invalid(why) | Self::Parameters(why) | Self::Failed(why) => why,
            Self::UnknownMethod(method) => return write!(out, "there is no method `{method}`"),
            Self::NotInitialized => "`initialize` comes first",
            Self::Cancelled => "the request was cancelled",
            Self::ContentModified => "the program was changed meanwhile",
            Self::Internal => "the server failed here: please report it",
        })
    }
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

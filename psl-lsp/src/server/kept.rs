//! What is kept of a document from one version to the next, until it is closed.

use crate::server::convert::tokens::SentTokens;

/// Shared by the versions of a document.
#[derive(Default)]
pub struct Kept {
    /// The semantic tokens that the client was sent last.
    pub tokens: SentTokens,
}

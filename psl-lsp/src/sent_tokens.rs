//! The semantic tokens that a client was sent last, so that it can ask for what changed since.

use std::{
    mem,
    sync::atomic::{AtomicU64, Ordering},
};

use lsp_types::SemanticTokens;

/// The semantic tokens that a client was sent last for a document.
#[derive(Default)]
pub struct SentTokens(SemanticTokens);

impl SentTokens {
    /// Notes other tokens under an identity of their own, and gives them with it, behind those before.
    pub fn replace(&mut self, mut tokens: SemanticTokens) -> (SemanticTokens, SemanticTokens) {
        // A document that is opened again must not take an identity for its own that it had before.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        tokens.result_id = Some(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        (mem::replace(&mut self.0, tokens.clone()), tokens)
    }
}

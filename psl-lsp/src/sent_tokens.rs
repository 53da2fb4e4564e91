//! The semantic tokens last sent to a client, so that it can request the changes.

use std::{
    mem,
    sync::atomic::{AtomicU64, Ordering},
};

use gen_lsp_types::SemanticTokens;

/// The semantic tokens last sent to a client for a document.
#[derive(Default)]
pub struct SentTokens(SemanticTokens);

impl SentTokens {
    /// Stores new tokens under a new id, and returns the preceding and the new tokens.
    pub fn replace(&mut self, mut tokens: SemanticTokens) -> (SemanticTokens, SemanticTokens) {
        // A global counter: a reopened document must not reuse an id that it had before.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        tokens.result_id = Some(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        (mem::replace(&mut self.0, tokens.clone()), tokens)
    }
}

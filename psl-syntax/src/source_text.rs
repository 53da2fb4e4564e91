//! A text that its owners share, with its lines.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use crate::line_index::LineIndex;

/// A text. Its clones share it, and its lines once they are known.
#[derive(Clone, Default)]
pub struct SourceText(Arc<Shared>);

#[derive(Default)]
struct Shared {
    text: String,
    line_index: OnceLock<LineIndex>,
}

impl SourceText {
    /// Returns whether the text has another owner.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// The lines, found on the first call.
    pub fn line_index(&self) -> &LineIndex {
        self.0.line_index.get_or_init(|| LineIndex::new(self))
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl From<String> for SourceText {
    fn from(text: String) -> Self {
        Self(Arc::new(Shared { text, line_index: OnceLock::new() }))
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for SourceText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SourceText {}

impl fmt::Debug for SourceText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

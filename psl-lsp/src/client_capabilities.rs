//! What the server needs to know of its client.

use crate::encoding::Encoding;

/// What a client can do, and what it wants.
#[allow(clippy::struct_excessive_bools, reason = "each is a capability of its own")]
#[derive(Clone, Copy, Debug)]
pub struct ClientCapabilities {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether completions may hold placeholders.
    pub snippets: bool,
    /// Whether it shows lenses.
    pub lenses: bool,
    /// Whether it asks for lenses again when told to.
    pub lens_refresh: bool,
    /// Whether it asks for inlay hints again when told to.
    pub hint_refresh: bool,
    /// Whether it asks for diagnostics again when told to.
    pub diagnostic_refresh: bool,
    /// Whether it tells its settings when asked.
    pub configuration: bool,
    /// Whether it tells of changed settings when asked to.
    pub watches_settings: bool,
    /// Whether it tells of changed files when asked to.
    pub watches_files: bool,
    /// Whether it shows how far work is.
    pub progress: bool,
    /// Whether results are also shown as messages.
    pub show_results: bool,
    /// Whether it shows that tests run.
    pub show_status: bool,
    /// The semantic tokens that it shows.
    pub tokens: ShownTokens,
    /// Whether it shows the symbols of a document as a tree.
    pub nested_symbols: bool,
    /// Whether it folds whole lines only.
    pub folds_lines: bool,
}

impl Default for ClientCapabilities {
    fn default() -> Self {
        Self {
            encoding: Encoding::Utf16,
            snippets: false,
            lenses: false,
            lens_refresh: false,
            hint_refresh: false,
            diagnostic_refresh: false,
            configuration: false,
            watches_settings: false,
            watches_files: false,
            progress: false,
            show_results: true,
            show_status: false,
            tokens: ShownTokens::default(),
            nested_symbols: false,
            folds_lines: false,
        }
    }
}

/// The types and modifiers of semantic tokens that a client shows, a bit each at the number of its variant.
#[derive(Clone, Copy, Debug)]
pub struct ShownTokens {
    /// The types.
    pub types: u32,
    /// The modifiers.
    pub modifiers: u32,
}

impl Default for ShownTokens {
    fn default() -> Self {
        Self { types: u32::MAX, modifiers: u32::MAX }
    }
}

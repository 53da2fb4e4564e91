//! The client's capabilities that the server uses.

use psl_syntax::line_index::Encoding;

/// The capabilities and preferences of a client.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate capability")]
#[derive(Clone, Copy, Debug)]
pub struct ClientCapabilities {
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether it supports placeholders in completions.
    pub snippets: bool,
    /// Whether it supports code actions, and not only commands in their place.
    pub code_actions: bool,
    /// Whether it applies edits that the server requests.
    pub applies_edits: bool,
    /// Whether it supports snippets in the edits of code actions.
    pub snippet_edits: bool,
    /// Whether it shows Markdown in hovers.
    pub markdown_hovers: bool,
    /// Whether it shows Markdown in the documentation of completions.
    pub markdown_completions: bool,
    /// Whether it shows Markdown in signature help.
    pub markdown_signatures: bool,
    /// Whether it shows Markdown in the messages of diagnostics.
    pub markdown_messages: bool,
    /// Whether it shows documents that the server computes.
    pub contents: bool,
    /// Whether it shows code lenses.
    pub lenses: bool,
    /// Whether it supports refreshing code lenses.
    pub lens_refresh: bool,
    /// Whether it supports refreshing inlay hints.
    pub hint_refresh: bool,
    /// Whether it supports refreshing diagnostics.
    pub diagnostic_refresh: bool,
    /// Whether the server can request its settings.
    pub configuration: bool,
    /// Whether the server can register for changes of settings.
    pub watches_settings: bool,
    /// Whether the server can register for changes of files.
    pub watches_files: bool,
    /// Whether it shows progress.
    pub progress: bool,
    /// Whether it shows results as messages too.
    pub show_results: bool,
    /// Whether it debugs a test itself, and shows a lens for it.
    pub show_debug: bool,
    /// Whether it shows that tests are running.
    pub show_status: bool,
    /// Whether it opens documents and addresses that the server names.
    pub show_documents: bool,
    /// The semantic tokens that it shows.
    pub tokens: ShownTokens,
    /// Whether it knows the kinds of completions that came after the first 18.
    pub newer_completions: bool,
    /// Whether it knows the kinds of document symbols that came after the first 18.
    pub newer_symbols: bool,
    /// The same for the symbols of the workspace.
    pub newer_workspace_symbols: bool,
    /// Whether it can prepare a rename.
    pub prepares_renames: bool,
    /// Whether it shows document symbols as a tree.
    pub nested_symbols: bool,
    /// Whether it folds whole lines only.
    pub folds_lines: bool,
}

impl Default for ClientCapabilities {
    fn default() -> Self {
        Self {
            encoding: Encoding::Utf16,
            snippets: false,
            code_actions: false,
            applies_edits: false,
            snippet_edits: false,
            markdown_hovers: false,
            markdown_completions: false,
            markdown_signatures: false,
            markdown_messages: false,
            contents: false,
            lenses: false,
            lens_refresh: false,
            hint_refresh: false,
            diagnostic_refresh: false,
            configuration: false,
            watches_settings: false,
            watches_files: false,
            progress: false,
            show_results: true,
            show_debug: false,
            show_status: false,
            show_documents: false,
            tokens: ShownTokens::default(),
            newer_completions: false,
            newer_symbols: false,
            newer_workspace_symbols: false,
            prepares_renames: false,
            nested_symbols: false,
            folds_lines: false,
        }
    }
}

/// The types and modifiers of semantic tokens that a client shows: one bit each, at the index of its variant.
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

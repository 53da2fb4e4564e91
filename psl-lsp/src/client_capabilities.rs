//! The client's capabilities that the server uses.

use psl_syntax::line_index::Encoding;

/// The capabilities and preferences of a client.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate capability")]
#[derive(Clone, Copy, Debug)]
pub struct ClientCapabilities {
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether the client supports placeholders in completions.
    pub snippets: bool,
    /// Whether the client supports code actions, and not only commands in their place.
    pub code_actions: bool,
    /// Whether the client applies edits that the server requests.
    pub applies_edits: bool,
    /// Whether the client supports snippets in the edits of code actions.
    pub snippet_edits: bool,
    /// Whether the client shows Markdown in hovers.
    pub markdown_hovers: bool,
    /// Whether the client shows Markdown in the documentation of completions.
    pub markdown_completions: bool,
    /// Whether the client shows Markdown in signature help.
    pub markdown_signatures: bool,
    /// Whether the client shows Markdown in the messages of diagnostics.
    pub markdown_messages: bool,
    /// Whether the client shows documents that the server computes.
    pub contents: bool,
    /// Whether the client shows code lenses.
    pub lenses: bool,
    /// Whether the client supports refreshing code lenses.
    pub lens_refresh: bool,
    /// Whether the client supports refreshing inlay hints.
    pub hint_refresh: bool,
    /// Whether the client supports refreshing diagnostics.
    pub diagnostic_refresh: bool,
    /// Whether the server can request its settings.
    pub configuration: bool,
    /// Whether the server can register for changes of settings.
    pub watches_settings: bool,
    /// Whether the server can register for changes of files.
    pub watches_files: bool,
    /// Whether the client shows progress.
    pub progress: bool,
    /// Whether the client shows results as messages too.
    pub show_results: bool,
    /// Whether the client debugs a test itself, and shows a lens for it.
    pub show_debug: bool,
    /// Whether the client opens links to the lines of a file.
    pub link_lines: bool,
    /// Whether the client shows that tests are running.
    pub show_status: bool,
    /// Whether the client opens documents and addresses that the server names.
    pub show_documents: bool,
    /// The semantic tokens that it shows.
    pub tokens: ShownTokens,
    /// Whether the client knows the kinds of completions that came after the first 18.
    pub newer_completions: bool,
    /// Whether the client knows the kinds of document symbols that came after the first 18.
    pub newer_symbols: bool,
    /// Whether the client knows the kinds of workspace symbols that came after the first 18.
    pub newer_workspace_symbols: bool,
    /// Whether the client can prepare a rename.
    pub prepares_renames: bool,
    /// Whether the client shows document symbols as a tree.
    pub nested_symbols: bool,
    /// Whether the client folds whole lines only.
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
            link_lines: false,
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

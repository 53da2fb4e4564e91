//! Markdown in messages.

use gen_lsp_types as lsp;

/// A text as Markdown.
pub fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }
}

//! Converts byte offsets to positions, ranges and locations.

use gen_lsp_types as lsp;
use psl_syntax::{Span, diagnostic::Edit, line_index::Position};

use crate::{document::Document, encoded_text::EncodedText};

/// Converts a position.
pub fn place(place: Position) -> lsp::Position {
    lsp::Position { line: place.line as u32, character: place.column as u32 }
}

/// The position of a byte offset.
pub fn position(text: &EncodedText, offset: u32) -> lsp::Position {
    place(text.position(offset))
}

/// The range of a span.
pub fn range(text: &EncodedText, span: Span) -> lsp::Range {
    lsp::Range { start: position(text, span.start), end: position(text, span.end) }
}

/// The location of a span in a document.
pub fn location(document: &Document, span: Span) -> lsp::Location {
    lsp::Location { uri: document.uri.clone(), range: range(&document.text, span) }
}

/// Converts an edit.
pub fn edit(text: &EncodedText, edit: &Edit) -> lsp::TextEdit {
    lsp::TextEdit { range: range(text, edit.span), new_text: edit.text.clone() }
}

/// Converts the edits of one text.
pub fn edits(text: &EncodedText, edits: &[Edit]) -> Vec<lsp::TextEdit> {
    edits.iter().map(|it| edit(text, it)).collect()
}

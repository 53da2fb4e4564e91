//! Formatting, of a document or of some of its lines; nothing where its syntax is broken, which its diagnostics say.

use psl_syntax::{Span, diagnostic::Edit, format, format_lines};

use crate::server::documents::Snapshot;

/// What lays the document out.
pub fn edits(snapshot: &Snapshot) -> Option<Vec<Edit>> {
    Some(format(&snapshot.text.to_string()).ok()?.edits)
}

/// What lays out the lines that the span covers.
pub fn edits_of_lines(snapshot: &Snapshot, span: Span) -> Option<Vec<Edit>> {
    format_lines(&snapshot.text.to_string(), span).ok()
}

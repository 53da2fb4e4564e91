//! Formatting, of a whole file or of some of its lines.

use psl_syntax::{Span, diagnostic::Edit, format_lines};

use crate::file::File;

/// What lays the file out; nothing where its syntax is broken, which its diagnostics say.
pub fn format_edits(file: &File) -> Option<Vec<Edit>> {
    Some(file.format().ok()?.edits)
}

/// What lays out the lines that a span covers; nothing where the file's syntax is broken.
pub fn format_lines_edits(file: &File, span: Span) -> Option<Vec<Edit>> {
    format_lines(file.text(), span).ok()
}

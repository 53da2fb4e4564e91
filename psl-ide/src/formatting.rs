//! Formatting of a whole file or a range of lines.

use psl_program::File;
use psl_syntax::{Span, diagnostic::Edit, format_lines};

/// Returns the edits that format the file, or `None` if its syntax is broken.
pub fn format_edits(file: &File) -> Option<Vec<Edit>> {
    Some(file.format().ok()?.edits)
}

/// Returns the edits that format the lines of a span, or `None` if the file's syntax is broken.
pub fn format_lines_edits(file: &File, span: Span) -> Option<Vec<Edit>> {
    format_lines(file.text(), span).ok()
}

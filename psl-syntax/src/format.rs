//! Formats a program, as edits of its text.
//!
//! Each level is indented by four spaces, and each assignment and statement is on a separate line. A declaration is
//! on one line if it fits into [`WIDTH`] columns and contains no comment. Otherwise, each entry is on a separate
//! line. Conditions continue on the next line after an `and`. Parentheses, quotes and the spelling of keywords stay
//! the same, and so do single blank lines, except at the start and end of a block. A comment stays between the same
//! clauses, on a separate line or at the end of one. On a separate line, it is indented like the code after it or, if
//! its author indented it further, like the code before it.
//!
//! Columns are Unicode scalar values, as everywhere: display widths change with the Unicode version, and the layout
//! of a file must not.
//!
//! Invariants: formatting a formatted text changes nothing. Every comment is kept, in order. The program compiles to
//! the same QKVL, including labels. Each allow covers the same code. Comments and QKVL are preserved by each edit
//! alone, so an editor may apply only some of them.
//!
//! Invariant: the time is linear in the length of the text, and nothing recurses.

mod gap;
mod layout;
mod rewriter;

pub use layout::WIDTH;

use rewriter::LINE_ENDS;

use crate::{
    diagnostic::{Diagnostic, Edit},
    parse::{Parse, parse},
    span::Span,
};

/// A formatted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The new text.
    pub text: String,
    /// The edits from the old text to the new one, in text order and as narrow as possible. Empty if nothing changes.
    pub edits: Vec<Edit>,
}

/// Formats a text. Errors other than syntax errors do not matter.
///
/// All line ends become the first one of the text, `\n` or `\r\n`. A byte order mark is removed.
///
/// # Errors
///
/// The syntax errors of the text, which is then left unchanged.
pub fn format(text: &str) -> Result<Formatted, Vec<Diagnostic>> {
    let Parse { tree, mut diagnostics } = parse(text);
    if !tree.sound {
        diagnostics.retain(Diagnostic::is_error);
        return Err(diagnostics);
    }
    let edits = layout::edits(text, &tree.tokens);
    Ok(Formatted { text: Edit::apply(&edits, text).unwrap_or_else(|| text.to_owned()), edits })
}

/// The edits of [`format()`] on the lines that a span covers. If the span ends at the start of a line, that line is
/// not included.
///
/// # Errors
///
/// The syntax errors of the whole text.
pub fn format_lines(text: &str, span: Span) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let before = |end: u32| Span::new(0, end).of(text);
    let start = before(span.start).rfind(LINE_ENDS).map_or(0, |line_end| line_end + 1);
    let last = if span.is_empty() || !before(span.end).ends_with(LINE_ENDS) { span.end } else { span.end - 1 };
    let rest = text.get(last as usize..).unwrap_or_default();
    let end = last as usize + rest.find(LINE_ENDS).unwrap_or(rest.len());
    let mut edits = format(text)?.edits;
    edits.retain(|edit| start <= edit.span.range().start && edit.span.range().end <= end);
    Ok(edits)
}

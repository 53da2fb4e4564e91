//! The layout of a program, as edits of its text.
//!
//! Four spaces a level, one assignment a line, one statement a line. A declaration stands on one line where it fits into
//! [`WIDTH`] columns and holds no comment, else one entry a line; conditions go on a further line after an `and`. Parentheses,
//! quotes and the spelling of keywords stay as written, as do single blank lines, but for those at the start and end of a block. A comment stays between the same clauses,
//! on its own line or at the end of one; on its own line it is indented like what follows, or, where its author put it
//! further in, like what stands before.
//!
//! Columns are Unicode scalar values, as everywhere: display widths change with the Unicode version, and a file's layout
//! should not.
//!
//! Invariants: what is formatted stays as it is; every comment is kept, in order; the program compiles to the same QKVL,
//! labels included; each allow covers the same. The comments and the QKVL hold for each edit alone, so that an editor may apply
//! some of them.
//!
//! Invariant: time is linear in the text's length, and nothing recurses.

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

/// A text laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The new text.
    pub text: String,
    /// What makes it of the old one, in the order of the text and each as narrow as can be; none where nothing changes.
    pub edits: Vec<Edit>,
}

/// Lays a text out. Names that are not declared and other errors beyond syntax do not matter here.
///
/// Line ends become the text's first one, `\n` or `\r\n`; a byte order mark goes.
///
/// # Errors
///
/// The syntax errors, at least one, where there are any: such a text is left as it is.
pub fn format(text: &str) -> Result<Formatted, Vec<Diagnostic>> {
    let Parse { tree, mut diagnostics } = parse(text);
    if !tree.sound {
        diagnostics.retain(Diagnostic::is_error);
        return Err(diagnostics);
    }
    let edits = layout::edits(text, &tree.tokens);
    Ok(Formatted { text: Edit::apply(&edits, text).unwrap_or_else(|| text.to_owned()), edits })
}

/// The edits of [`format()`] on the lines that a span of the text covers; a last line of which it covers only the start, not a
/// character, does not count.
///
/// # Errors
///
/// The syntax errors of the whole text, at least one, where there are any.
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

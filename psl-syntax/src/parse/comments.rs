//! Labels and directives.

use super::parser::Parser;
use crate::{
    diagnostic::Diagnostic,
    directive::{almost_directive, is_directive, parse_directive},
    lines::line_breaks,
    span::Span,
    tree::Directive,
};

impl Parser<'_> {
    /// The comment on the line directly above the token, if there is one. Directives do not count.
    pub(super) fn label_before(&self, at: usize) -> Option<Span> {
        let statement = self.code.get(at)?.span.start;
        let code_before = at.checked_sub(1).and_then(|before| self.code.get(before)).map_or(0, |token| token.span.end);
        let mut below = statement;
        let mut index = self.comments.partition_point(|comment| comment.start < statement);
        while let Some(comment) = index.checked_sub(1).and_then(|before| self.comments.get(before)).copied() {
            let before =
                index.checked_sub(2).and_then(|before| self.comments.get(before)).map_or(0, |comment| comment.end);
            let above = code_before.max(before);
            let own_line = above == 0 || line_breaks(self.text, above, comment.start) > 0;
            if comment.start < code_before || !own_line || line_breaks(self.text, comment.end, below) != 1 {
                return None;
            }
            if !is_directive(comment.of(self.text)) {
                return Some(comment);
            }
            below = comment.start;
            index -= 1;
        }
        None
    }
}

/// The directives in the comments of a text, and reports of the invalid ones.
pub fn directives(text: &str, comments: &[Span]) -> (Vec<Directive>, Vec<Diagnostic>) {
    let mut directives = Vec::new();
    let mut diagnostics = Vec::new();
    for &comment in comments {
        if !is_directive(comment.of(text)) {
            diagnostics.extend(almost_directive(text, comment));
            continue;
        }
        match parse_directive(text, comment) {
            Ok(directive) => directives.push(directive),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    (directives, diagnostics)
}

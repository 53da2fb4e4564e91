//! The state of parsing a text.

use std::ops::Range;

use crate::incremental::reuse::Reuse;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    span::Span,
    token::{Kind, Token},
    tree::{Declaration, Statement},
};

/// Maximum nesting of parentheses and repeat blocks.
pub const MAX_NESTING: usize = 256;

/// A repeat block whose `until` has not been reached.
pub struct OpenRepeat {
    pub keyword: Span,
    pub label: Option<Span>,
    pub broken: bool,
    pub body: Vec<Statement>,
}

/// A text and the parts parsed so far.
pub struct Parser<'t> {
    pub text: &'t str,
    pub code: &'t [Token],
    pub comments: &'t [Span],
    /// Productions that need not be parsed again.
    pub reuse: Reuse<'t>,
    /// The spans of translated phrases, in text order.
    pub translated: Vec<Span>,
    /// The offsets of replaced characters, in text order.
    pub replaced: &'t [u32],
    pub diagnostics: Vec<Diagnostic>,
    pub declarations: Vec<Declaration>,
    pub open: Vec<OpenRepeat>,
    pub statements: Vec<Statement>,
    pub statement_seen: bool,
    /// The number of open repeats beyond the limit, which are ignored.
    pub too_deep: usize,
    /// The number of repeat blocks without an `until`.
    pub missing_untils: usize,
    /// As in [`Tree`](crate::tree::Tree).
    pub stray: bool,
}

impl<'t> Parser<'t> {
    /// A parser before the first token.
    pub fn new(text: &'t str, code: &'t [Token], comments: &'t [Span], reuse: Reuse<'t>) -> Self {
        let statements = reuse.len();
        let count = |kind: Kind| code.iter().filter(|token| token.kind == kind).count();
        Self {
            text,
            code,
            comments,
            reuse,
            translated: Vec::new(),
            replaced: &[],
            diagnostics: Vec::new(),
            declarations: Vec::new(),
            open: Vec::new(),
            statements: Vec::with_capacity(statements),
            statement_seen: false,
            too_deep: 0,
            missing_untils: count(Kind::Repeat).saturating_sub(count(Kind::Until)),
            stray: false,
        }
    }

    /// Whether something was translated between these tokens.
    pub fn is_translated(&self, range: Range<usize>) -> bool {
        let start = |at: usize| self.code.get(at).map_or(u32::MAX, |token| token.span.start);
        let first = self.translated.partition_point(|translated| translated.start < start(range.start));
        self.translated.get(first).is_some_and(|translated| translated.start < start(range.end))
    }

    /// Whether a character of the span was replaced.
    pub fn is_replaced(&self, span: Span) -> bool {
        let first = self.replaced.partition_point(|replaced| *replaced < span.start);
        self.replaced.get(first).is_some_and(|replaced| *replaced < span.end)
    }
}

/// A syntax error.
pub fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Syntax, span, message)
}

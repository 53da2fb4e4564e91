//! The state of parsing a text.

use super::reuse::Reuse;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    span::Span,
    token::Token,
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
    /// Productions that do not have to be parsed again.
    pub reuse: Reuse<'t>,
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

/// A syntax error.
pub fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Syntax, span, message)
}

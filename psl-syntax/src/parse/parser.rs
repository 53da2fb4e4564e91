//! What is known while a text is parsed.

use super::reuse::Reuse;
use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    span::Span,
    token::Token,
    tree::{Declaration, Statement},
};

/// How deep parentheses and repeat blocks may be nested.
pub const MAX_NESTING: usize = 256;

/// A repeat block whose `until` has not come yet.
pub struct OpenRepeat {
    pub keyword: Span,
    pub label: Option<Span>,
    pub broken: bool,
    pub body: Vec<Statement>,
}

/// A text, and what has been found in it so far.
pub struct Parser<'t> {
    pub text: &'t str,
    pub code: &'t [Token],
    pub comments: &'t [Span],
    /// What need not be parsed.
    pub reuse: Reuse<'t>,
    pub diagnostics: Vec<Diagnostic>,
    pub declarations: Vec<Declaration>,
    pub open: Vec<OpenRepeat>,
    pub statements: Vec<Statement>,
    pub statement_seen: bool,
    /// How many open repeats beyond the bound are being ignored.
    pub too_deep: usize,
    /// How many repeat blocks have no `until` of their own.
    pub missing_untils: usize,
    /// As in [`Tree`](crate::tree::Tree).
    pub stray: bool,
}

/// A mistake in the grammar.
pub fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Syntax, span, message)
}

//! Productions that are unchanged from an earlier text.
//!
//! Invariant: a complete production, up to its last token, depends only on its tokens and the label above it. If the
//! tokens are the same, the production is the same.

use std::ops::Range;

use crate::{
    incremental::relex::Unchanged,
    token::Token,
    tree::{Production, Statement, Tree},
};

/// The productions of an earlier text.
#[derive(Default)]
pub struct Reuse<'o> {
    /// In text order.
    productions: Vec<&'o Production>,
    unchanged: Unchanged,
}

impl<'o> Reuse<'o> {
    /// The productions of a tree, given which of its tokens are unchanged.
    pub fn new(tree: &'o Tree, unchanged: Unchanged) -> Self {
        let mut productions = Vec::new();
        collect(&tree.statements, &mut productions);
        Self { productions, unchanged }
    }

    /// The number of productions.
    pub fn len(&self) -> usize {
        self.productions.len()
    }

    /// The earlier production with the same tokens, without its label, or `None` if there was none.
    pub fn production(&self, code: &[Token], range: Range<usize>) -> Option<Production> {
        let tokens = code.get(range)?;
        let span = tokens.first()?.span.join(tokens.last()?.span);
        let shift = self.unchanged.shift_of(span)?;
        let span = span.shifted(0_u32.wrapping_sub(shift));
        let found = self.productions.binary_search_by_key(&span.start, |production| production.span.start).ok()?;
        let whole = |production: &&&Production| !production.broken && production.span == span;
        self.productions.get(found).filter(whole).map(|production| production.shifted(shift))
    }
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn collect<'o>(statements: &'o [Statement], productions: &mut Vec<&'o Production>) {
    for statement in statements {
        match statement {
            Statement::Production(production) => productions.push(production),
            Statement::Repeat(repeat) => collect(&repeat.body, productions),
            Statement::CausalAttn(_) => {}
        }
    }
}

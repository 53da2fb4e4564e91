//! Productions that an earlier text has too.
//!
//! Invariant: a production depends on nothing but its tokens, the one behind them and the label above it, unless something was
//! reported of it; so where those are the same, and nothing was, so is the production.

use std::ops::Range;

use crate::{
    diagnostic::Diagnostic,
    relex::Unchanged,
    token::Token,
    tree::{Production, Statement, Tree},
};

/// How many tokens before a clause are looked at to see whether it is one.
const LOOK_BACK: usize = 10;

/// The productions of an earlier text.
#[derive(Default)]
pub struct Reuse<'o> {
    /// In the order of the text.
    productions: Vec<&'o Production>,
    /// What was reported of the text, in its order.
    diagnostics: &'o [Diagnostic],
    unchanged: Unchanged,
}

impl<'o> Reuse<'o> {
    /// The productions of a tree, of whose tokens these are unchanged. `diagnostics` are at least those that parsing it gave, in
    /// the order of the text.
    pub fn new(tree: &'o Tree, diagnostics: &'o [Diagnostic], unchanged: Unchanged) -> Self {
        let mut productions = Vec::new();
        collect(&tree.statements, &mut productions);
        Self { productions, diagnostics, unchanged }
    }

    /// The production that these tokens of the new text are, without its label, where it was one in the earlier text.
    pub fn production(&self, code: &[Token], range: Range<usize>) -> Option<Production> {
        let Unchanged { before, after, shift } = self.unchanged;
        let shift = if range.end < before {
            0
        } else if range.start.checked_sub(LOOK_BACK).is_some_and(|start| start >= after) {
            shift
        } else {
            return None;
        };
        let back = 0_u32.wrapping_sub(shift);
        let start = code.get(range.start)?.span.shifted(back).start;
        let end = code.get(range.end - 1)?.span.shifted(back).end;
        let next_end = code.get(range.end).map_or(u32::MAX, |next| next.span.shifted(back).end);
        let found = self.productions.binary_search_by_key(&start, |production| production.span.start).ok()?;
        let production = self.productions.get(found).filter(|it| !it.broken && it.span.end == end)?;
        let reported = self.diagnostics.partition_point(|diagnostic| diagnostic.span.start < start);
        let silent = self.diagnostics.get(reported).is_none_or(|diagnostic| diagnostic.span.start > next_end);
        silent.then(|| production.shifted(shift))
    }
}

/// Recurses with the nesting of repeat blocks, which the parser bounds.
fn collect<'o>(statements: &'o [Statement], productions: &mut Vec<&'o Production>) {
    for statement in statements {
        match statement {
            Statement::Production(production) => productions.push(production),
            Statement::Repeat(repeat) => collect(&repeat.body, productions),
            Statement::CausalAttn(_) => {}
        }
    }
}

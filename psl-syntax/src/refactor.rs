//! Rewrites productions without changing the effect of the program.
//!
//! Invariant: after every statement that both programs share, the rewritten program has the same values in every
//! register of every cell, apart from added registers. Comments are kept.

mod auxiliary;
mod guard;
mod list;
mod same_cell;
mod site;

use crate::{
    checked::Checked,
    diagnostic::{DeclaringFix, Fix},
    span::Span,
};
use site::{production_at, run_at};

/// Extracts the guard that several productions share into a register that a separate production sets. Applies to the
/// productions that a selection touches, or to the one at the cursor and its neighbors.
pub fn extract_guard(checked: &Checked, span: Span) -> Vec<DeclaringFix> {
    run_at(checked, span).map_or_else(Vec::new, |run| guard::extract(checked, &run))
}

/// Merges two productions that differ in one constant into one with a list, `x in [A, B]`. Returns `None` if there
/// are no such productions.
pub fn into_list(checked: &Checked, span: Span) -> Option<Fix> {
    list::merge(checked, &run_at(checked, span)?)
}

/// Rewrites a comparison within one cell, in a production that mentions n, in the ways that QKVL supports. `span` is
/// the span of the diagnostic `same-cell-comparison`.
pub fn split_same_cell(checked: &Checked, span: Span) -> Vec<Fix> {
    let production = production_at(&checked.tree.statements, span);
    production.map_or_else(Vec::new, |production| same_cell::split(checked, production, span))
}

//! Rewritings of productions that leave what the program does as it is.
//!
//! Invariant: what is offered compiles to a program that sets every register of every cell to the same values, at the end of
//! every statement that both have; a register that was added for it apart. Comments are kept.

mod auxiliary;
mod guard;
mod list;
mod same_cell;
mod site;

use crate::{checked::Checked, diagnostic::Fix, span::Span};
use site::{production_at, run_at};

/// The same guard of several productions, set down in a register of its own by a production of its own: for the productions
/// that a selection touches, or the one that a cursor touches and its neighbours.
pub fn extract_guard(checked: &Checked, span: Span) -> Vec<Fix> {
    run_at(checked, span).map_or_else(Vec::new, |run| guard::extract(checked, &run))
}

/// Two productions that differ in one constant as one with a list, `x in [A, B]`.
pub fn into_list(checked: &Checked, span: Span) -> Option<Fix> {
    list::merge(checked, &run_at(checked, span)?)
}

/// The ways to say what a comparison within one cell means, in a production that binds n: `span` is that of the diagnostic
/// `same-cell-comparison`.
pub fn split_same_cell(checked: &Checked, span: Span) -> Vec<Fix> {
    let production = production_at(&checked.tree.statements, span);
    production.map_or_else(Vec::new, |production| same_cell::split(checked, production, span))
}

//! Compares two registers of one cell through another register: see [`psl_syntax::refactor`].

use psl_syntax::{Code, refactor::split_same_cell};

use super::action::{Action, ActionKind, Context};

/// The rewrites of a comparison within one cell.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let same_cell = context.here().filter(|found| found.code == Code::SameCellComparison);
    let fixes = same_cell.flat_map(|found| {
        let fixes = split_same_cell(context.file.checked(), found.span).into_iter();
        fixes.map(move |fix| Action { preferred: fix.certain, ..Action::new(fix, ActionKind::QuickFix, Some(found)) })
    });
    fixes.collect()
}

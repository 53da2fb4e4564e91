//! Saying the same otherwise: see [`psl_syntax::refactor`].

use psl_syntax::{
    Code, Diagnostic, Span,
    refactor::{extract_guard, into_list, split_same_cell},
};

use super::{Action, Kind, action};
use crate::server::documents::Snapshot;

/// A guard that productions here repeat, set down in a register.
pub fn extract(snapshot: &Snapshot, span: Span) -> Vec<Action> {
    let fixes = extract_guard(snapshot.checked(), span).into_iter();
    fixes.map(|fix| action(fix, Kind::Extract, None)).collect()
}

/// Two productions here that differ in a constant, as one.
pub fn merge(snapshot: &Snapshot, span: Span) -> Option<Action> {
    into_list(snapshot.checked(), span).map(|fix| action(fix, Kind::Rewrite, None))
}

/// The ways to compare what stands in one cell.
pub fn split(snapshot: &Snapshot, here: &[&Diagnostic]) -> Vec<Action> {
    let same_cell = here.iter().filter(|found| found.code == Code::SameCellComparison);
    let fixes = same_cell.flat_map(|found| {
        let fixes = split_same_cell(snapshot.checked(), found.span).into_iter();
        fixes.map(|fix| Action { preferred: fix.certain, ..action(fix, Kind::QuickFix, Some(found)) })
    });
    fixes.collect()
}

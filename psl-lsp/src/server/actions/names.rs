//! Declaring a name that is used.

use psl_syntax::{Diagnostic, Span};

use super::{Action, Kind, action};
use crate::server::documents::Snapshot;

/// Declaring the name at the start of the selection as what it is used as.
pub fn declare(snapshot: &Snapshot, span: Span, here: &[&Diagnostic]) -> Option<Action> {
    let checked = snapshot.checked();
    let named = here.iter().find(|found| matches!(found.code.as_str(), "unknown-register" | "unknown-constant"));
    let offset = named.map_or(span.start, |found| found.span.start);
    Some(action(psl_syntax::declare(checked, offset)?, Kind::QuickFix, named.copied()))
}

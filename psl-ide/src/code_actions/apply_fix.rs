//! Applies a fix of a diagnostic.

use super::action::{Action, ActionKind, Context};

/// Each fix of each diagnostic.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let fixes = context.here().flat_map(|found| {
        let preferred = found.fixes.len() == 1;
        let fixes = found.fixes.iter().cloned();
        fixes.map(move |fix| Action { preferred, ..Action::new(fix, ActionKind::QuickFix, Some(found)) })
    });
    fixes.collect()
}

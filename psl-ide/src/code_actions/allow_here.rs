//! Allows a warning at the place where it is reported.

use psl_syntax::allow_here;

use super::action::{Action, ActionKind, Context};

/// An `allow` for each warning, or one for all warnings that the same `allow` covers.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let tree = &context.file.checked().tree;
    let mut actions: Vec<Action> = Vec::new();
    for found in context.here() {
        if let Some(fix) = allow_here(tree, found) {
            match actions.iter_mut().find(|action| action.edits == fix.edits) {
                Some(same) => same.diagnostics.push(found.clone()),
                None => actions.push(Action::new(fix, ActionKind::QuickFix, Some(found))),
            }
        }
    }
    actions
}

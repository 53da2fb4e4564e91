//! Merges two productions that differ in one constant: see [`psl_syntax::refactor`].

use psl_syntax::refactor::into_list;

use super::action::{Action, ActionKind, Context};

/// Merges the two productions at the selection into one that tests a list.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let fix = into_list(context.file.checked(), context.selection);
    fix.map(|fix| Action::new(fix, ActionKind::Rewrite, None)).into_iter().collect()
}

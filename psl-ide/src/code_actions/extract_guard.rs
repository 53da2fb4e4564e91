//! Extracts a guard that several productions repeat, into a register: see [`psl_syntax::refactor`].

use psl_syntax::refactor::extract_guard;

use super::action::{Action, ActionKind, Context};

/// The guards that the selected productions repeat.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let fixes = extract_guard(context.file.checked(), context.selection).into_iter();
    fixes.map(|fix| Action::new(fix, ActionKind::Extract, None)).collect()
}

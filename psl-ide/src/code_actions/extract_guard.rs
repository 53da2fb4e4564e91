//! Extracts a guard that several productions repeat, into a register: see [`psl_syntax::refactor`].

use psl_syntax::{diagnostic::DeclaringFix, refactor::extract_guard};

use super::action::{Action, ActionKind, Context, Cursor};

/// The guards that the selected productions repeat.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let fixes = extract_guard(context.file.checked(), context.selection).into_iter();
    let action = |DeclaringFix { fix, name }| Action {
        cursor: Some(Cursor::On(name)),
        ..Action::new(fix, ActionKind::Extract, None)
    };
    fixes.map(action).collect()
}

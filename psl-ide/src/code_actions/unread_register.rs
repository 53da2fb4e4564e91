//! Uses or removes a register that is written, but that nothing reads.

use psl_syntax::{Code, unread_fixes};

use super::action::{Action, ActionKind, Context};

/// The fixes for each such register here.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let checked = context.file.checked();
    let unread = context.here().filter(|found| found.code == Code::NeverRead);
    unread
        .flat_map(|found| {
            let fixes = unread_fixes(checked, found.span).into_iter();
            fixes.map(move |fix| Action::new(fix, ActionKind::QuickFix, Some(found)))
        })
        .collect()
}

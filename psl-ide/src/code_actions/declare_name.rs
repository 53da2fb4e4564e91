//! Declaring a name that is used.

use psl_syntax::{Code, declare};

use super::action::{Action, ActionKind, Context};

/// Declaring the name at the start of the selection as what it is used as.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let unknown = context.here().find(|found| matches!(found.code, Code::UnknownRegister | Code::UnknownConstant));
    let offset = unknown.map_or(context.selection.start, |found| found.span.start);
    let fix = declare(context.file.checked(), offset);
    fix.map(|fix| Action::new(fix, ActionKind::QuickFix, unknown)).into_iter().collect()
}

//! Declares an unknown name.

use psl_syntax::{Code, declare, diagnostic::DeclaringFix};

use super::action::{Action, ActionKind, Context, Cursor};

/// Declares the name at the start of the selection as a register or a constant, depending on its use.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let unknown = context.here().find(|found| matches!(found.code, Code::UnknownRegister | Code::UnknownConstant));
    let offset = unknown.map_or(context.selection.start, |found| found.span.start);
    let fix = declare(context.file.checked(), offset);
    let action = |DeclaringFix { fix, name }| Action {
        cursor: Some(Cursor::After(name)),
        ..Action::new(fix, ActionKind::QuickFix, unknown)
    };
    fix.map(action).into_iter().collect()
}

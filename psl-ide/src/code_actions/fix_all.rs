//! Applies all safe fixes of the file.

use super::{
    action::{Action, ActionKind, Context},
    fixed_text::edits_of_fixes,
};

/// All safe fixes of the file as one action, if there are any.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let title = "Apply all safe fixes".to_owned();
    let action = |edits| Action {
        title,
        kind: ActionKind::FixAll,
        edits,
        diagnostics: Vec::new(),
        preferred: false,
        cursor: None,
        command: None,
    };
    edits_of_fixes(context.file, None).map(action).into_iter().collect()
}

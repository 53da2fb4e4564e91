//! Applying all certain fixes of the file.

use super::{
    action::{Action, ActionKind, Context},
    fixed_text::edits_of_fixes,
};

/// The certain fixes of the file together, where there are any.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let title = "Fix all that can be fixed safely".to_owned();
    let action = |edits| Action { title, kind: ActionKind::FixAll, edits, diagnostics: Vec::new(), preferred: false };
    edits_of_fixes(context.file, None).map(action).into_iter().collect()
}

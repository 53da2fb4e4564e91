//! Applies the fixes of all diagnostics with one code.

use std::collections::BTreeSet;

use psl_syntax::{Code, Diagnostic};

use super::{
    action::{Action, ActionKind, Context},
    fixed_text::edits_of_fixes,
};

/// One action for each code that has a fixable diagnostic here and others in the file. Finding fixes that do not
/// conflict is slow, so these actions are computed only on request.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    if context.wanted.automatic {
        return Vec::new();
    }
    let fixable = |found: &&Diagnostic| found.fixes.len() == 1;
    let codes: BTreeSet<Code> = context.here().filter(fixable).map(|found| found.code).collect();
    let fix_all = |code: Code| {
        let of_code = context.diagnostics().iter().filter(|found| fixable(found) && found.code == code);
        let diagnostics: Vec<Diagnostic> = of_code.cloned().collect();
        let edits = if diagnostics.len() > 1 { edits_of_fixes(context.file, Some(code)) } else { None }?;
        let title = format!("Fix all `{}` in the file", code.as_str());
        Some(Action {
            title,
            kind: ActionKind::QuickFix,
            edits,
            diagnostics,
            preferred: false,
            cursor: None,
            command: None,
        })
    };
    codes.into_iter().filter_map(fix_all).collect()
}

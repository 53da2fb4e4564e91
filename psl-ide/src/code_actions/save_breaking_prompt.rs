//! Saves the prompt that breaks a law as a test.

use psl_syntax::{
    Code, Diagnostic,
    program::{TestCase, TestPrompt},
};

use super::{
    action::{Action, ActionKind, Context},
    save_prompt::saved,
};
use crate::saved_test::Expected;

/// An action for each broken law here, which adds a test of the first prompt that breaks it.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let tests = context.file.program().tests.iter().enumerate();
    let here =
        tests.filter(|(_, test)| test.span.start <= context.selection.end && context.selection.start <= test.span.end);
    let action = |(index, test): (usize, &TestCase)| {
        let about = |found: &&Diagnostic| found.code == Code::FailingTest && test.span.touches(found.span.start);
        let found = context.diagnostics().iter().find(about)?;
        let law = context.report?.outcome(index)?.law.as_ref().filter(|law| law.refutation.is_some())?;
        let TestPrompt::Plain(prompt) = &law.case.prompt else { return None };
        let expected = Expected { prompt, gold: &law.case.gold, row: law.case.row };
        Some(Action::new(saved(context.file, expected)?, ActionKind::QuickFix, Some(found)))
    };
    here.filter_map(action).collect()
}

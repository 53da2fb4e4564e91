//! Updates a failing test to expect the continuation that the program generates.

use psl_syntax::{
    Code, Diagnostic,
    diagnostic::{Edit, Fix},
    program::TestCase,
    token::quote,
};

use super::action::{Action, ActionKind, Context};

/// An action for each failing test here, which sets its expected continuation.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    // The continuation of one prompt is not that of a law.
    let tests = context.file.program().tests.iter().enumerate().filter(|(_, test)| test.law.is_none());
    let here =
        tests.filter(|(_, test)| test.span.start <= context.selection.end && context.selection.start <= test.span.end);
    let action = |(index, test): (usize, &TestCase)| {
        let about = |found: &&Diagnostic| found.code == Code::FailingTest && test.span.touches(found.span.start);
        let found = context.diagnostics().iter().find(about)?;
        Some(Action::new(expect(context, index, test)?, ActionKind::QuickFix, Some(found)))
    };
    here.filter_map(action).collect()
}

fn expect(context: &Context<'_>, index: usize, test: &TestCase) -> Option<Fix> {
    let tree = &context.file.checked().tree;
    let continuation = context.report?.outcome(index)?.result.as_ref().ok()?;
    let directive = tree.directives.iter().find(|directive| directive.span == test.span)?;
    let span = directive.strings(&tree.text).pop()?;
    let expected = continuation.text();
    (!continuation.is(&test.gold)).then(|| Fix {
        title: format!("Expect `{expected}`"),
        certain: false,
        edits: vec![Edit { span, text: quote(&expected) }],
    })
}

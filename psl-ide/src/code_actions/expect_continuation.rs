//! Making a failing test expect what the program makes of its prompt.

use psl_syntax::{
    Code, Diagnostic,
    diagnostic::{Edit, Fix},
    token::quote,
};

use super::action::{Action, ActionKind, Context};

/// For each failing test here, its continuation as its gold.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    let failing = context.here().filter(|found| found.code == Code::FailingTest);
    let action = |found| Some(Action::new(expect(context, found)?, ActionKind::QuickFix, Some(found)));
    failing.filter_map(action).collect()
}

fn expect(context: &Context<'_>, found: &Diagnostic) -> Option<Fix> {
    let checked = context.file.checked();
    let index = checked.analysis.program.tests.iter().position(|test| test.span == found.span)?;
    let test = checked.analysis.program.tests.get(index)?;
    let continuation = context.report?.outcome(index)?.result.as_ref().ok()?;
    let directive = checked.tree.directives.iter().find(|directive| directive.span == found.span)?;
    let span = directive.strings(&checked.tree.text).pop()?;
    let expected = continuation.text();
    (!continuation.is(&test.gold)).then(|| Fix {
        title: format!("Expect `{expected}`"),
        certain: false,
        edits: vec![Edit { span, text: quote(&expected) }],
    })
}

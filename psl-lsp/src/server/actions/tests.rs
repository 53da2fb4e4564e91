//! Tests: what one is to expect, and another one from a prompt that was run.

use psl_syntax::{
    Code, Diagnostic, Span,
    diagnostic::{Edit, Fix},
    program::TestPrompt,
    token::quote,
    tree::{Directive, DirectiveKind},
};

use super::{Action, Kind, action};
use crate::server::documents::Snapshot;

/// For each failing test, expecting what the program makes of its prompt.
pub fn take_as_gold(snapshot: &Snapshot, here: &[&Diagnostic]) -> Vec<Action> {
    let failing = here.iter().filter(|found| found.code == Code::FailingTest);
    failing.filter_map(|found| Some(action(gold(snapshot, found)?, Kind::QuickFix, Some(found)))).collect()
}

fn gold(snapshot: &Snapshot, found: &Diagnostic) -> Option<Fix> {
    let checked = snapshot.checked();
    let index = checked.analysis.program.tests.iter().position(|test| test.span == found.span)?;
    let test = checked.analysis.program.tests.get(index)?;
    let continuation = snapshot.evidence()?.result(index)?.as_ref().ok()?;
    let directive = checked.tree.directives.iter().find(|directive| directive.span == found.span)?;
    let span = directive.strings(&checked.tree.text).pop()?;
    let expected = continuation.text();
    (!continuation.is(&test.gold)).then(|| Fix {
        title: format!("Expect `{expected}`"),
        certain: false,
        edits: vec![Edit { span, text: quote(&expected) }],
    })
}

/// The prompt that was run last, with its continuation, as a test: offered on the first line and on tests.
pub fn save_prompt(snapshot: &Snapshot, span: Span) -> Option<Action> {
    let tree = &snapshot.checked().tree;
    let text = tree.text.as_ref();
    let tests: Vec<&Directive> =
        tree.directives.iter().filter(|it| matches!(it.kind, DirectiveKind::Test { .. })).collect();
    let first_line = text.find(['\n', '\r']).unwrap_or(text.len()) as u32;
    let on_test = tests.iter().any(|test| test.span.start <= span.end && span.start <= test.span.end);
    if span.start > first_line && !on_test {
        return None;
    }
    let (prompt, continuation) = snapshot.results().last?;
    if snapshot.checked().analysis.program.tests.iter().any(|test| test.prompt == prompt) {
        return None;
    }
    let TestPrompt::Plain(prompt) = prompt else { return None };
    let line = format!("//@ test {} => {}", quote(&prompt), quote(&continuation.text()));
    let end = tree.line_end();
    let top = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
    let (at, text) = tests.last().map_or((top, format!("{line}{end}")), |last| (last.span.end, format!("{end}{line}")));
    let edit = Edit { span: Span::new(at, at), text };
    let title = format!("Save the prompt `{prompt}` as a test");
    Some(action(Fix { title, certain: false, edits: vec![edit] }, Kind::Rewrite, None))
}

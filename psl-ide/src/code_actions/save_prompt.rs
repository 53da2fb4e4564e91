//! Saving the prompt that was run last as a test.

use psl_syntax::{
    Span,
    diagnostic::{Edit, Fix},
    program::TestPrompt,
    token::quote,
    tree::{Directive, DirectiveKind},
};

use super::action::{Action, ActionKind, Context};

/// The last prompt with its continuation as a test: offered on the first line and on tests.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    save(context).map(|fix| Action::new(fix, ActionKind::Rewrite, None)).into_iter().collect()
}

fn save(context: &Context<'_>) -> Option<Fix> {
    let Context { file, selection, .. } = context;
    let (text, tree) = (file.text(), &file.checked().tree);
    let tests: Vec<&Directive> =
        tree.directives.iter().filter(|it| matches!(it.kind, DirectiveKind::Test { .. })).collect();
    let first_line = text.find(['\n', '\r']).unwrap_or(text.len()) as u32;
    let on_test = tests.iter().any(|test| test.span.start <= selection.end && selection.start <= test.span.end);
    if selection.start > first_line && !on_test {
        return None;
    }
    let (prompt, continuation) = context.history.results(file).last?;
    if file.checked().analysis.program.tests.iter().any(|test| test.prompt == prompt) {
        return None;
    }
    let TestPrompt::Plain(prompt) = prompt else { return None };
    let line = format!("//@ test {} => {}", quote(&prompt), quote(&continuation.text()));
    let end = tree.line_end();
    let top = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
    let (at, text) = tests.last().map_or((top, format!("{line}{end}")), |last| (last.span.end, format!("{end}{line}")));
    let edit = Edit { span: Span::new(at, at), text };
    Some(Fix { title: format!("Save the prompt `{prompt}` as a test"), certain: false, edits: vec![edit] })
}

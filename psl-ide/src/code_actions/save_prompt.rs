//! Saves the last prompt that was run as a test.

use psl_program::{File, Prompt};
use psl_syntax::diagnostic::Fix;

use super::action::{Action, ActionKind, Context};
use crate::saved_test::{Expected, test_edit, tests};

/// Saves the last prompt and its continuation as a test. Offered on the first line and on tests.
pub fn actions(context: &Context<'_>) -> Vec<Action> {
    save(context).map(|fix| Action::new(fix, ActionKind::Rewrite, None)).into_iter().collect()
}

fn save(context: &Context<'_>) -> Option<Fix> {
    let Context { file, selection, .. } = context;
    let text = file.text();
    let first_line = text.find(['\n', '\r']).unwrap_or(text.len()) as u32;
    let on_test = tests(file).any(|test| test.span.start <= selection.end && selection.start <= test.span.end);
    if selection.start > first_line && !on_test {
        return None;
    }
    let (Prompt::Plain(prompt), continuation) = context.history.results(file).last? else { return None };
    let row = continuation.is_row();
    saved(file, Expected { prompt: &prompt, gold: &continuation.text(), row })
}

/// The fix that saves a prompt and its result as a test, unless a test has the prompt.
pub fn saved(file: &File, expected: Expected<'_>) -> Option<Fix> {
    let edit = test_edit(file, expected).ok()?;
    Some(Fix { title: format!("Save the prompt `{}` as a test", expected.prompt), certain: false, edits: vec![edit] })
}

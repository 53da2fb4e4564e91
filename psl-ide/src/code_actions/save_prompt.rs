//! Saves the last prompt that was run as a test.

use psl_program::{File, Prompt};
use psl_syntax::diagnostic::Fix;

use super::action::{Action, ActionKind, Context};
use crate::saved_test::{test_edit, tests};

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
    saved(file, &prompt, &continuation.text())
}

/// The fix that saves a prompt and its continuation as a test, unless a test has the prompt.
pub fn saved(file: &File, prompt: &str, continuation: &str) -> Option<Fix> {
    let edit = test_edit(file, prompt, continuation).ok()?;
    Some(Fix { title: format!("Save the prompt `{prompt}` as a test"), certain: false, edits: vec![edit] })
}

//! Saves the last prompt that was run as a test.

use psl_program::{File, Prompt};
use psl_syntax::{
    Span,
    diagnostic::{Edit, Fix},
    program::{TestCase, TestPrompt},
    token::quote,
    tree::{Directive, DirectiveKind},
};
use thiserror::Error;

use super::action::{Action, ActionKind, Context};

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

/// The directives that are tests.
fn tests(file: &File) -> impl Iterator<Item = &Directive> {
    file.checked().tree.directives.iter().filter(|it| matches!(it.kind, DirectiveKind::Test { .. }))
}

/// The reason why a prompt cannot be saved as a test.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SaveError {
    #[error("the prompt is empty: enter at least one symbol")]
    EmptyPrompt,
    /// A test has the prompt. The line is 1-based.
    #[error("the test on line {line} already has this prompt")]
    SamePrompt { line: usize },
}

/// Returns the edit that adds a prompt and its continuation as a test: below the last test, or at the top if there is
/// none.
///
/// # Errors
///
/// Fails if the prompt is empty or a test already has it.
pub fn test_edit(file: &File, prompt: &str, continuation: &str) -> Result<Edit, SaveError> {
    let collapsed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = collapsed(prompt);
    if prompt.is_empty() {
        return Err(SaveError::EmptyPrompt);
    }
    let has_it = |test: &&TestCase| matches!(&test.prompt, TestPrompt::Plain(other) if collapsed(other) == prompt);
    if let Some(test) = file.program().tests.iter().find(has_it) {
        let line = file.line_index().line(test.span.start) + 1;
        return Err(SaveError::SamePrompt { line });
    }
    let line = format!("//@ test {} => {}", quote(&prompt), quote(&collapsed(continuation)));
    let end = file.checked().tree.line_end();
    let top = if file.text().starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
    let last = tests(file).last();
    let (at, text) = last.map_or((top, format!("{line}{end}")), |last| (last.span.end, format!("{end}{line}")));
    Ok(Edit { span: Span::new(at, at), text })
}

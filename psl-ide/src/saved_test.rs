//! Prompts saved as tests.

use psl_program::File;
use psl_syntax::{
    Span,
    diagnostic::Edit,
    program::{TestCase, TestPrompt},
    token::quote,
    tree::{Directive, DirectiveKind},
};
use thiserror::Error;

use crate::text_edits::lay_out;

/// The directives that are tests.
pub fn tests(file: &File) -> impl Iterator<Item = &Directive> {
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

/// Returns the edits that add a prompt and its continuation as a test: below the last test, or at the top if there is
/// none. A formatted text stays formatted.
///
/// # Errors
///
/// Fails if the prompt is empty or a test already has it.
pub fn save_test(file: &File, prompt: &str, continuation: &str) -> Result<Vec<Edit>, SaveError> {
    let mut edits = vec![test_edit(file, prompt, continuation)?];
    lay_out(file.text(), [&mut edits]);
    Ok(edits)
}

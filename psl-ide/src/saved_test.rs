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

/// A prompt, and what a test expects of it.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'t> {
    /// The symbols, separated by spaces.
    pub prompt: &'t str,
    /// The continuation or the row.
    pub gold: &'t str,
    /// Whether the gold is a row.
    pub row: bool,
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

/// The directive of a test.
pub fn test_line(Expected { prompt, gold, row }: Expected<'_>) -> String {
    let row = if row { "row " } else { "" };
    format!("//@ test {row}{} => {}", quote(&collapsed(prompt)), quote(&collapsed(gold)))
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the edit that adds a test: below the last test, or at the top if there is none.
///
/// # Errors
///
/// Fails if the prompt is empty or a test already has it.
pub fn test_edit(file: &File, expected: Expected<'_>) -> Result<Edit, SaveError> {
    let prompt = collapsed(expected.prompt);
    if prompt.is_empty() {
        return Err(SaveError::EmptyPrompt);
    }
    let has_it = |test: &&TestCase| match &test.prompt {
        TestPrompt::Plain(other) => collapsed(other) == prompt && test.row == expected.row,
        TestPrompt::Json(_) => false,
    };
    if let Some(test) = file.program().tests.iter().find(has_it) {
        let line = file.line_index().line(test.span.start) + 1;
        return Err(SaveError::SamePrompt { line });
    }
    let line = test_line(expected);
    let end = file.checked().tree.line_end();
    let top = if file.text().starts_with('\u{feff}') { '\u{feff}'.len_utf8() as u32 } else { 0 };
    let last = tests(file).last();
    let (at, text) = last.map_or((top, format!("{line}{end}")), |last| (last.span.end, format!("{end}{line}")));
    Ok(Edit { span: Span::new(at, at), text })
}

/// Returns the edits that add a test: below the last test, or at the top if there is none. A formatted text stays
/// formatted.
///
/// # Errors
///
/// Fails if the prompt is empty or a test already has it.
pub fn save_test(file: &File, expected: Expected<'_>) -> Result<Vec<Edit>, SaveError> {
    let mut edits = vec![test_edit(file, expected)?];
    lay_out(file.text(), [&mut edits]);
    Ok(edits)
}

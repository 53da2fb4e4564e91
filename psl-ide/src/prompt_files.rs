//! The files with the prompts of tests, under new names.

use psl_program::File;
use psl_syntax::{Span, diagnostic::Edit, program::TestPrompt, token::quote_as, tree::DirectiveKind};

/// The prompt files of a program's tests: the quoted path of each in the text, and the path, relative to the program's
/// folder.
pub fn prompt_files(file: &File) -> impl Iterator<Item = (Span, &str)> {
    let tree = &file.checked().tree;
    tree.directives.iter().filter_map(|directive| match &directive.kind {
        DirectiveKind::Test { prompt: TestPrompt::Json(path), .. } => {
            Some((directive.strings(&tree.text).first().copied()?, path.as_str()))
        }
        _ => None,
    })
}

/// Returns the edits that give the prompt files of a program's tests new paths. `new_path` returns that of a file, or
/// `None` if it stays.
pub fn rename_prompt_files(file: &File, new_path: impl Fn(&str) -> Option<String>) -> Vec<Edit> {
    let edit = |(span, path): (Span, &str)| {
        let mark = if span.of(file.text()).starts_with('\'') { '\'' } else { '"' };
        Some(Edit { span, text: quote_as(mark, &new_path(path)?) })
    };
    prompt_files(file).filter_map(edit).collect()
}

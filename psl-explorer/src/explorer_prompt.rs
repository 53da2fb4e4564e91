//! The prompt that the explorer's page runs first.

use psl_program::{File, Prompt, RunHistory, RunRefusal, RunRequest, choose};

use crate::request::PagePrompt;

/// Returns the prompt of the request or, without one, the last prompt that was run. `None` stands for the first test.
///
/// # Errors
///
/// Fails if the test is unknown.
pub fn explorer_prompt(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
) -> Result<Option<PagePrompt>, RunRefusal> {
    if request.prompt.is_none() && history.usual_prompt(file).is_none() {
        return Ok(None);
    }
    let (prompt, test) = choose(file, history, request)?;
    // A test is preferred to its prompt, since it also has the expected continuation.
    let tests = &file.program().tests;
    let test = test.or_else(|| tests.iter().position(|test| Prompt::from(&test.prompt) == prompt));
    Ok(match (test, prompt) {
        (Some(test), _) => Some(PagePrompt::Test { test }),
        (None, Prompt::Plain(symbols)) => Some(PagePrompt::Plain(symbols)),
        (None, Prompt::Structured(cells)) => Some(PagePrompt::Cells { cells: cells.to_json().to_string() }),
        (None, Prompt::File(_) | Prompt::Test(_)) => None,
    })
}

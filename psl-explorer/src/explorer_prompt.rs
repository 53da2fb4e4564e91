//! The prompt that the explorer's page runs first.

use psl_program::{File, RunHistory, RunRefusal, RunRequest, choose};
use psl_syntax::program::TestPrompt;

use crate::explorer_page::PagePrompt;

/// Returns the prompt of a request, or else the last one that was run. `None` for that of the first test.
///
/// # Errors
///
/// Fails if the test is unknown.
pub fn explorer_prompt(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
) -> Result<Option<PagePrompt>, RunRefusal> {
    let asked = request.prompt.is_some() || request.test.is_some();
    if !asked && history.usual_prompt(file).is_none() {
        return Ok(None);
    }
    let (prompt, test) = choose(file, history, request)?;
    // A test also shows the expected continuation.
    let test = test.or_else(|| file.checked().analysis.program.tests.iter().position(|test| test.prompt == prompt));
    Ok(match (test, prompt) {
        (Some(index), _) => Some(PagePrompt::Test(index)),
        (None, TestPrompt::Plain(prompt)) => Some(PagePrompt::Prompt(prompt)),
        (None, TestPrompt::Json(_)) => None,
    })
}

//! The prompt that the explorer's page runs first.

use psl_program::{File, Prompt, RunHistory, RunRefusal, RunRequest, TestName, choose, laws::MAX_LAW_WORK};
use psl_syntax::program::{TestCase, TestPrompt};
use serde::Serialize;

use crate::request::PagePrompt;

/// The prompt that a page runs first, and what is expected of it.
#[derive(Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FirstPrompt {
    /// The prompt that runs first: by default, that of the first test.
    #[serde(rename = "open", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<PagePrompt>,
    /// The expected continuation of the prompt. A test has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub gold: Option<String>,
}

impl FirstPrompt {
    /// Opens the prompt of the request or, without one, the last prompt that was run.
    ///
    /// # Errors
    ///
    /// Fails if the test is unknown.
    pub fn new(file: &File, history: &RunHistory, request: &RunRequest) -> Result<Self, RunRefusal> {
        if request.prompt.is_none() && history.usual_prompt(file).is_none() {
            return Ok(Self::default());
        }
        let (prompt, test) = choose(file, history, request)?;
        Ok(match test {
            Some(test) => Self::of_test(file, test, MAX_LAW_WORK),
            None => Self::of(file, &prompt),
        })
    }

    /// Opens a prompt, as that of a test if one has it, since a test also has the expected continuation.
    pub fn of(file: &File, prompt: &Prompt) -> Self {
        let test = file.program().tests.iter().position(|test| Prompt::from(&test.prompt) == *prompt);
        let prompt = match (test, prompt) {
            (Some(test), _) => Some(PagePrompt::Test { test }),
            (None, Prompt::Plain(symbols)) => Some(PagePrompt::Plain(symbols.clone())),
            (None, Prompt::Structured(cells)) => Some(PagePrompt::Cells { cells: cells.to_json().to_string() }),
            (None, Prompt::File(_) | Prompt::Test(_)) => None,
        };
        Self { prompt, gold: None }
    }

    /// Opens the test with this 0-based index. A law opens the prompt that breaks it, if `max_work` suffices to find
    /// one: see [`Runner::law_case`](psl_program::Runner::law_case).
    pub fn of_test(file: &File, test: usize, max_work: u64) -> Self {
        let case = file.compiled().law_case(&Prompt::Test(TestName::Index(test)), max_work);
        let own = file.program().tests.get(test).map(|test| &test.prompt);
        match case.filter(|case| Some(&case.prompt) != own) {
            Some(TestCase { prompt: TestPrompt::Plain(symbols), gold, .. }) => {
                Self { prompt: Some(PagePrompt::Plain(symbols)), gold: Some(gold) }
            }
            _ => Self { prompt: Some(PagePrompt::Test { test }), gold: None },
        }
    }
}

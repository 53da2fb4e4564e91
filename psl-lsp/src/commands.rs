//! The commands of `workspace/executeCommand`: convert the arguments, call [`psl_ide`], record runs, convert the
//! result.

use std::time::Duration;

use psl_ide::{Expected, Search};
use psl_program::{Emit, Progress, Prompt, RunRequest};
use psl_runtime::Options;
use serde_json::Value;

use crate::{
    document::Document,
    from_proto::DocumentCommand,
    notice::Notice,
    refusal::Refusal,
    to_proto::{self, to_json},
};

/// The result of a command, and a message about it if a user waits for it.
pub struct CommandAnswer {
    /// The result, in JSON.
    pub value: String,
    /// The message.
    pub message: Option<Notice>,
}

impl DocumentCommand {
    /// Whether the document must be open, because the result applies to the editor's buffer.
    pub fn edits(&self) -> bool {
        matches!(self, Self::SaveTest { .. } | Self::Search(_))
    }

    /// Whether the command runs tests.
    pub fn tests(&self) -> bool {
        match self {
            Self::Run { request, .. } => matches!(request.prompt, Some(Prompt::Test(_))),
            Self::Tests { run } => *run,
            _ => false,
        }
    }

    /// The command's name while it runs.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Search(Search::Repair) => "Searching for a repair",
            Self::Search(Search::Fill) => "Searching for what belongs in the holes",
            Self::Search(Search::Unnoticed(_)) => "Searching for what the tests do not notice",
            _ => "Running",
        }
    }

    /// Whether lenses and hints show its result.
    pub fn runs(&self) -> bool {
        matches!(self, Self::Run { .. } | Self::Tests { run: true })
    }
}

/// Executes a command about a document.
///
/// # Errors
///
/// Fails if the program or the prompt cannot be run, the test is unknown, the trace is too long, or the run was
/// cancelled.
pub fn execute(document: &Document, command: &DocumentCommand, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    match command {
        DocumentCommand::Run { request, background } => run(document, request, *background, progress),
        DocumentCommand::Trace(request) => {
            let trace = psl_program::trace(document.file(), &document.run_history(), request, progress)?;
            Ok(CommandAnswer { value: trace, message: None })
        }
        DocumentCommand::Table(request) => {
            let table = psl_render::table(document.file(), &document.run_history(), request, progress)?;
            Ok(CommandAnswer { value: to_json(&to_proto::text(&table))?, message: None })
        }
        DocumentCommand::SaveTest { prompt, continuation } => {
            let row = document.file().compiled().options(&Options::default()).answer.is_some();
            let edits = psl_ide::save_test(document.file(), Expected { prompt, gold: continuation, row })?;
            Ok(CommandAnswer { value: to_json(&to_proto::edits(&document.text, &edits))?, message: None })
        }
        DocumentCommand::Search(kind) => search(document, *kind, progress),
        DocumentCommand::Tests { run: true } => tests(document, progress),
        DocumentCommand::Tests { run: false } => {
            Ok(CommandAnswer { value: to_json(&known_tests(document))?, message: None })
        }
        DocumentCommand::Coverage { tests } => coverage(document, tests.as_deref(), progress),
        DocumentCommand::VirtualDocument(emit) => {
            let compiled = psl_program::compile(document.file(), *emit)?;
            Ok(CommandAnswer { value: to_json(&to_proto::text(&compiled.text))?, message: None })
        }
        DocumentCommand::Compile(emit) => {
            let compiled = psl_program::compile(document.file(), *emit)?;
            let value = match emit {
                Emit::Qkvl => to_proto::compiled_layers(document, &compiled),
                Emit::Weights | Emit::Psl => to_proto::text(&compiled.text),
            };
            Ok(CommandAnswer { value: to_json(&value)?, message: None })
        }
    }
}

fn run(
    document: &Document,
    request: &RunRequest,
    background: bool,
    progress: &Progress,
) -> Result<CommandAnswer, Refusal> {
    let file = document.file();
    let start = document.environment.host.clock();
    let outcome = psl_program::run(file, &document.run_history(), request, progress)?;
    let time = document.environment.host.clock().saturating_sub(start);
    if background {
        document.lock_run_history().note_in_background(file, &outcome);
    } else {
        document.lock_run_history().note(file, &outcome);
    }
    let (value, message) = to_proto::run_answer(document, &outcome, time)?;
    Ok(CommandAnswer { value: to_json(&value)?, message: Some(message) })
}

/// The time of a search that a user waits for.
const SEARCH: Duration = Duration::from_mins(1);

fn search(document: &Document, search: Search, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    let found = document.search(search, SEARCH, &progress.cancelled)?;
    if progress.is_cancelled() {
        return Err(Refusal::Cancelled);
    }
    let (value, message) = to_proto::proposals(document, &found);
    Ok(CommandAnswer { value: to_json(&value)?, message: Some(message) })
}

fn tests(document: &Document, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    progress.expect(document.file().program().tests.len(), "tests");
    let tested = run_tests(document, progress, |index| progress.reach(index))?;
    Ok(CommandAnswer { value: to_json(&tested.listed)?, message: Some(tested.counts.notice()) })
}

fn coverage(document: &Document, tests: Option<&[usize]>, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    let all: Vec<usize> = (0..document.file().program().tests.len()).collect();
    let tests = tests.unwrap_or(&all);
    progress.expect(tests.len(), "tests");
    let counted = psl_program::coverage(document.file(), tests, progress)?;
    if progress.is_cancelled() {
        return Err(Refusal::Cancelled);
    }
    Ok(CommandAnswer { value: to_json(&to_proto::coverage(document, &counted))?, message: None })
}

/// The tests of a document that have run.
pub struct Tested {
    /// The result of each test.
    pub listed: Vec<Value>,
    /// The numbers of passed and failed tests.
    pub counts: TestCounts,
}

/// The numbers of passed and failed tests.
#[derive(Clone, Copy, Default)]
pub struct TestCounts {
    /// The number of passed tests.
    pub passed: usize,
    /// The number of failed tests.
    pub failed: usize,
}

impl TestCounts {
    /// Returns the counts as a message.
    pub fn notice(self) -> Notice {
        let Self { passed, failed } = self;
        Notice { text: format!("{passed} passed, {failed} failed"), success: failed == 0 }
    }
}

/// Runs the tests of a document in order, and calls `reached` with the index of each test before it runs.
///
/// # Errors
///
/// Fails if the program does not compile or the run was cancelled.
pub fn run_tests(document: &Document, progress: &Progress, reached: impl Fn(usize)) -> Result<Tested, Refusal> {
    let file = document.file();
    file.runner()?;
    let tests = &file.program().tests;
    let (mut listed, mut outcomes, mut passed) = (Vec::new(), Vec::new(), 0);
    for (index, test) in tests.iter().enumerate() {
        reached(index);
        let start = document.environment.host.clock();
        let outcome = psl_program::run_listed_test(file, index, progress)?;
        let time = document.environment.host.clock().saturating_sub(start);
        passed += usize::from(outcome.outcome.passes(test));
        listed.push(to_proto::test_answer(document, index, test, Some(&outcome.outcome), Some(time)));
        outcomes.push(outcome);
    }
    if !document.is_superseded() {
        document.lock_run_history().note_tests(file, outcomes);
    }
    Ok(Tested { listed, counts: TestCounts { passed, failed: tests.len() - passed } })
}

/// The tests of a document with their results: from the last runs, otherwise from the runs after the last edit.
pub fn known_tests(document: &Document) -> Vec<Value> {
    let file = document.file();
    let results = document.run_history().results(file);
    let answer = |(index, test)| {
        let outcome = results.test(test).or_else(|| document.report()?.outcome(index));
        to_proto::test_answer(document, index, test, outcome, None)
    };
    file.program().tests.iter().enumerate().map(answer).collect()
}

#[cfg(test)]
mod tests_of_commands {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::fixture::document;

    #[test]
    fn a_cancelled_run_leaves_no_result() {
        let document = document(
            "//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n\
             where symbol[N] == A:\n    symbol[N] = A\n",
        );
        let progress = Progress::default();
        progress.cancelled.store(true, Ordering::Relaxed);
        let run = DocumentCommand::Run { request: RunRequest::default(), background: false };
        for command in [run, DocumentCommand::Tests { run: true }] {
            assert!(execute(&document, &command, &progress).is_err());
        }
        let history = document.run_history();
        assert!(history.results(document.file()).is_empty() && history.last_prompt(document.file()).is_none());
    }
}

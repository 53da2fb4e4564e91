//! The commands of `workspace/executeCommand`: convert in, ask [`psl_ide`], note what runs gave, convert out.

use psl_ide::{Emit, Progress, RunRequest};

use crate::{
    document::Document,
    from_proto::DocumentCommand,
    refusal::Refusal,
    to_proto::{self, to_json},
};

/// What a command gives: its result, and the same in words, with whether it is good news, where people wait for it.
pub struct CommandAnswer {
    /// The result, in JSON.
    pub value: String,
    /// The message.
    pub message: Option<(String, bool)>,
}

impl DocumentCommand {
    /// Whether what it gives is shown in lenses and hints.
    pub fn runs(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Tests)
    }
}

/// Carries out a command about a document.
///
/// # Errors
///
/// The program or the prompt cannot be run, it names a test that is not there, its trace is too long, or the run was cancelled.
pub fn execute(document: &Document, command: &DocumentCommand, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    match command {
        DocumentCommand::Run(request) => run(document, request, progress),
        DocumentCommand::Trace(request) => {
            let trace = psl_ide::trace(document.file(), &document.run_history(), request, progress)?;
            Ok(CommandAnswer { value: trace, message: None })
        }
        DocumentCommand::Tests => tests(document, progress),
        DocumentCommand::Compile(emit) => {
            let text = psl_ide::compile(document.file(), *emit)?;
            let value = match emit {
                Emit::Qkvl => to_proto::compiled_layers(document, &text),
                Emit::Weights | Emit::Psl => to_proto::compiled(&text),
            };
            Ok(CommandAnswer { value: to_json(&value)?, message: None })
        }
    }
}

fn run(document: &Document, request: &RunRequest, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    let file = document.file();
    let start = document.environment.host.clock();
    let outcome = psl_ide::run(file, &document.run_history(), request, progress)?;
    let time = document.environment.host.clock().saturating_sub(start);
    document.lock_run_history().note(file, &outcome);
    let (value, message) = to_proto::run_answer(document, &outcome, time)?;
    Ok(CommandAnswer { value: to_json(&value)?, message: Some(message) })
}

fn tests(document: &Document, progress: &Progress) -> Result<CommandAnswer, Refusal> {
    let file = document.file();
    file.runner()?;
    let tests = &file.checked().analysis.program.tests;
    progress.expect(tests.len(), "tests");
    let (mut listed, mut outcomes, mut passed) = (Vec::new(), Vec::new(), 0);
    for (index, test) in tests.iter().enumerate() {
        progress.reach(index);
        let start = document.environment.host.clock();
        let outcome = psl_ide::run_listed_test(file, index, progress)?;
        let time = document.environment.host.clock().saturating_sub(start);
        passed += usize::from(outcome.gave.passes(test));
        listed.push(to_proto::test_answer(document, index, test, Some(&outcome.gave), Some(time)));
        outcomes.push(outcome);
    }
    document.lock_run_history().note_tests(file, outcomes);
    let failed = tests.len() - passed;
    Ok(CommandAnswer {
        value: to_json(&listed)?,
        message: Some((format!("{passed} passed, {failed} failed"), failed == 0)),
    })
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
        for command in [DocumentCommand::Run(RunRequest::default()), DocumentCommand::Tests] {
            assert!(execute(&document, &command, &progress).is_err());
        }
        let history = document.run_history();
        assert!(history.results(document.file()).is_empty() && history.last_prompt(document.file()).is_none());
    }
}

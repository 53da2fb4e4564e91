//! Runs that a user requests: a prompt, a test, all tests, a trace.

use std::{ops::ControlFlow, sync::Arc};

use psl_runtime::{
    Continuation, MachineKind, Options, RunFailure, Task, Update,
    record::{Activity, SymbolWrites},
    to_the_end,
};
use psl_syntax::{index::IndexVec, program::TestCase};
use thiserror::Error;

use crate::{
    failure_explanation::explain_failure,
    file::{File, NotCompiled},
    laws::Decided,
    progress::Progress,
    prompt::Prompt,
    run_history::RunHistory,
    run_outcome::RunOutcome,
    runner::Runner,
    test_name::{TestName, UnknownTest},
    test_report::Outcome,
};

/// A prompt to run, and a machine.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    /// The prompt, or `None` for the last one that was run. Before the first run, that is the prompt of the first test.
    pub prompt: Option<Prompt>,
    /// The machine, or `None` for the DAT.
    pub machine: Option<MachineKind>,
}

/// The reason for a missing result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunRefusal {
    /// The request names a test that the file does not have.
    #[error(transparent)]
    UnknownTest(#[from] UnknownTest),
    /// No prompt is requested, none was run before, and the program has no tests.
    #[error("the prompt is missing: pass `prompt`, or add a line `//@ test \"prompt\" => \"continuation\"`")]
    NoPrompt,
    /// The program does not compile.
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
    /// The prompt cannot be run, or its run failed.
    #[error("{}", .0.message)]
    Run(RunFailure),
    /// The run was cancelled: its result shows nothing about the program.
    #[error("the run was cancelled")]
    Cancelled,
    /// The answer is larger than an editor is sent, for this reason.
    #[error("{0}")]
    TooLarge(String),
}

impl From<RunFailure> for RunRefusal {
    fn from(failure: RunFailure) -> Self {
        Self::Run(failure)
    }
}

/// Runs a request.
///
/// # Errors
///
/// Returns a reason if the program does not compile, the test or the prompt is missing, or the run was cancelled.
pub fn run(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
) -> Result<RunOutcome, RunRefusal> {
    let chosen = choose(file, history, request)?;
    run_prompt(file, chosen, request.machine.unwrap_or(MachineKind::Dat), progress, |task, step| match step {
        None => progress.expect(task.limits.max_new, "symbols at most"),
        Some(step) => progress.reach(step),
    })
}

/// Runs a test by its index. The progress is that of all tests, so this one only looks whether it is cancelled.
///
/// # Errors
///
/// Returns a reason if the program does not compile, the test is missing, or the run was cancelled.
pub fn run_listed_test(file: &File, index: usize, progress: &Progress) -> Result<RunOutcome, RunRefusal> {
    let prompt = Prompt::from(&test_at(file, index)?.prompt);
    run_prompt(file, (prompt, Some(index)), MachineKind::Dat, progress, |_, _| ())
}

/// Runs a prompt, and calls `reach` before the run and at each step. Returns an error for a cancelled run, as its
/// result shows nothing about the program.
fn run_prompt(
    file: &File,
    (prompt, test): (Prompt, Option<usize>),
    machine: MachineKind,
    progress: &Progress,
    reach: impl Fn(&Task, Option<usize>),
) -> Result<RunOutcome, RunRefusal> {
    let runner = file.runner()?;
    let case = test.map(|index| test_at(file, index)).transpose()?;
    let decided = case.map(|case| runner.decide(case, machine, &|| progress.is_cancelled(), u64::MAX)).transpose();
    let (law, refused) = match decided {
        Ok(Some(Decided::Law(law))) => (Some(*law), None),
        Ok(Some(Decided::No)) => return Err(RunRefusal::Cancelled),
        Ok(Some(Decided::Test) | None) => (None, None),
        Err(failure) => (None, Some(failure)),
    };
    let prompt = law.as_ref().map_or(prompt, |law| Prompt::from(&law.case.prompt));
    let case = law.as_ref().map_or(case, |law| Some(&law.case));
    let (mut fired, mut explanation) = (Vec::new(), None);
    let row = case.is_some_and(|case| case.row);
    let result = refused.map_or_else(|| task(runner, &prompt, row, progress), Err).and_then(|task| {
        reach(&task, None);
        let mut layers = IndexVec::from(vec![Activity::default(); runner.executable().qkvl().layers().len()]);
        let mut writes = SymbolWrites::new(runner.executable(), &task);
        let read = |update: &Update| {
            reach(&task, Some(update.step));
            Activity::count(&mut layers, update);
            writes.read(update);
        };
        let result = runner.complete(&task, machine, Some(&mut to_the_end(read)));
        fired = layers.iter().map(|layer| layer.fired).collect();
        let explain =
            |(case, got): (&TestCase, &Continuation)| explain_failure(runner, &case.gold, got, |it| writes.of(it));
        explanation = case.zip(result.as_ref().ok()).and_then(explain);
        result
    });
    if progress.is_cancelled() {
        return Err(RunRefusal::Cancelled);
    }
    let note = runner.prompt_note(&prompt);
    Ok(RunOutcome { prompt, test, outcome: Outcome { result, explanation, law }, fired, note })
}

/// Maximum length of a trace in bytes of JSON. Editors need several times as much memory for it.
pub const MAX_TRACE: usize = 32 << 20;

/// Returns every cell of every layer of a run as JSON: a list with one object per update.
///
/// # Errors
///
/// Fails like [`run`], and if the trace exceeds [`MAX_TRACE`]. The run then stops.
pub fn trace(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
) -> Result<String, RunRefusal> {
    bounded_trace(file, history, request, progress, MAX_TRACE)
}

fn bounded_trace(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
    most: usize,
) -> Result<String, RunRefusal> {
    let runner = file.runner()?;
    let task = chosen_task(file, history, request, progress)?;
    let (mut json, mut lines, mut too_long) = ("[".to_owned(), 0, None);
    let machine = request.machine.unwrap_or(MachineKind::Dat);
    let mut observer = |update: &Update| {
        if lines > 0 {
            json.push(',');
        }
        json.push_str(&runner.trace_line(update, &task).to_string());
        lines += 1;
        // The closing bracket counts too.
        if json.len() >= most {
            too_long = Some(update.step);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let result = runner.complete(&task, machine, Some(&mut observer));
    if let Some(step) = too_long {
        let reached = match step {
            0 => "in the prompt".to_owned(),
            step => format!("at symbol {step} of the continuation"),
        };
        let message = format!(
            "the trace exceeds the limit of {} MB {reached}, after {lines} updates; {}, \
             or write it to a file with `psl run --trace FILE`",
            most / 1_000_000,
            RunFailure::WAY_TO_SHORTEN
        );
        return Err(RunRefusal::TooLarge(message));
    }
    result?;
    json.push(']');
    Ok(json)
}

/// The run of a requested prompt. It ends when `progress` is cancelled.
///
/// # Errors
///
/// Fails if there is no such test or no prompt at all, and if the prompt cannot be run.
pub fn chosen_task(
    file: &File,
    history: &RunHistory,
    request: &RunRequest,
    progress: &Progress,
) -> Result<Task, RunRefusal> {
    let (prompt, test) = choose(file, history, request)?;
    let row = test.map(|index| test_at(file, index)).transpose()?.is_some_and(|test| test.row);
    Ok(task(file.runner()?, &prompt, row, progress)?)
}

/// The run of a prompt, for a row or what the program gives otherwise.
fn task(runner: &Runner, prompt: &Prompt, row: bool, progress: &Progress) -> Result<Task, RunFailure> {
    let options = runner.expecting(row, runner.options(&Options::default()))?;
    let mut task = runner.prompt_task(prompt, &options)?;
    task.limits.cancelled = vec![Arc::clone(&progress.cancelled)];
    Ok(task)
}

/// Returns the requested prompt as it is written, and the 0-based index of its test if a test was requested.
///
/// # Errors
///
/// Fails if there is no such test, or no prompt at all.
pub fn choose(file: &File, history: &RunHistory, request: &RunRequest) -> Result<(Prompt, Option<usize>), RunRefusal> {
    let Some(prompt) = &request.prompt else {
        return Ok((history.usual_prompt(file).ok_or(RunRefusal::NoPrompt)?, None));
    };
    let test = prompt.test(file.program())?;
    Ok(test.map_or_else(|| (prompt.clone(), None), |(index, test)| (Prompt::from(&test.prompt), Some(index))))
}

fn test_at(file: &File, index: usize) -> Result<&TestCase, UnknownTest> {
    let (_, test) = TestName::Index(index).find(file.program())?;
    Ok(test)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::Value;

    use super::*;
    use crate::{
        fixture::file,
        runner::RUNS,
        test_report::{TestReport, run_test},
    };

    #[test]
    fn a_cancelled_run_has_no_outcome() {
        let program = "//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n\
                       where symbol[N] == A:\n    symbol[N] = A\n";
        let file = file(program);
        let progress = Progress::default();
        progress.cancelled.store(true, Ordering::Relaxed);
        let request = RunRequest { prompt: Some(Prompt::Test(TestName::Index(0))), ..RunRequest::default() };
        let cancelled = RunRefusal::Cancelled;
        assert_eq!(run(&file, &RunHistory::default(), &request, &progress).err(), Some(cancelled.clone()));
        assert_eq!(run_listed_test(&file, 0, &progress).err(), Some(cancelled));
    }

    #[test]
    fn a_test_that_did_not_run_has_no_counts() {
        let program = "//@ test json \"none.json\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n\
                       where symbol[N] == A:\n    symbol[N] = A\n";
        let file = file(program).with_prompts(|_| Err("there is no such file".to_owned()));
        let completed = |request: RunRequest| {
            let outcome = run(&file, &RunHistory::default(), &request, &Progress::default()).expect("an outcome");
            (outcome.outcome.result.is_ok(), outcome.fired)
        };
        assert_eq!(
            completed(RunRequest { prompt: Some(Prompt::Test(TestName::Index(0))), ..RunRequest::default() }),
            (false, Vec::new())
        );
        let (ran, counts) =
            completed(RunRequest { prompt: Some(Prompt::Plain("A".to_owned())), ..RunRequest::default() });
        assert!(ran && counts.len() == 1 && counts[0] > 0, "{counts:?}");
    }

    #[test]
    fn a_test_that_fails_runs_once() {
        let program = "//@ test \"A\" => \"B\"\n//@ max-new 3\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                       where symbol[N] == A:\n    symbol[N] = A\n";
        let file = file(program);
        let none = RunHistory::default();
        let explained = |outcome: &Outcome| {
            let explanation = outcome.explanation.as_ref().expect("an explanation");
            explanation.in_words(file.program(), |_| None)
        };
        let test = Prompt::Test(TestName::Index(0));
        let of_run = || {
            let request = RunRequest { prompt: Some(test.clone()), ..RunRequest::default() };
            run(&file, &none, &request, &Progress::default()).map(|outcome| explained(&outcome.outcome))
        };
        let listed = || run_listed_test(&file, 0, &Progress::default()).map(|outcome| explained(&outcome.outcome));
        let in_background = || {
            let run = run_test(&file, 0, &AtomicBool::new(false)).expect("a run");
            Ok(explained(TestReport::new(vec![run]).outcome(0).expect("an outcome")))
        };
        for explain in [&of_run as &dyn Fn() -> Result<String, RunRefusal>, &listed, &in_background] {
            let before = RUNS.get();
            let words = explain().expect("a run");
            assert_eq!(words, "symbol 1 is `A`, not `B`: layer 1 wrote it in cell 1");
            assert_eq!(RUNS.get() - before, 1);
        }
    }

    #[test]
    fn a_trace_has_a_limit() {
        let file =
            file("registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n");
        let request = RunRequest { prompt: Some(Prompt::Plain("A A".to_owned())), ..RunRequest::default() };
        let bounded = |most| {
            let progress = Progress::default();
            let trace = bounded_trace(&file, &RunHistory::default(), &request, &progress, most);
            assert!(!progress.is_cancelled(), "only the user cancels");
            trace
        };
        let trace = bounded(MAX_TRACE).expect("a trace");
        let lines: Vec<Value> = serde_json::from_str(&trace).expect("JSON");
        assert!(lines.len() > 2, "{trace}");
        assert_eq!(lines[1]["cell"], 2);
        assert!(bounded(trace.len()).is_ok());
        for (most, reached) in
            [(trace.len() - 1, format!("after {} updates", lines.len())), (100, "in the prompt".to_owned())]
        {
            let Err(RunRefusal::TooLarge(message)) = bounded(most) else { panic!("expected a refusal") };
            assert!(message.contains(&reached), "{message}");
        }
    }
}

//! The commands of `workspace/executeCommand`.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use psl_runtime::MachineKind;
use psl_syntax::{
    Code,
    program::{TestCase, TestPrompt},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use crate::{
    execute::{Completion, RunFailure, Runner, deserialize_machine, stopped_in_words},
    parting::parting,
    server::{documents::Snapshot, progress::Work, summary},
};

/// Completes a prompt or runs a test.
pub const RUN: &str = "psl.run";
/// The same, and gives the trace.
pub const TRACE: &str = "psl.trace";
/// Compiles the program.
pub const COMPILE: &str = "psl.compile";
/// Runs all tests.
pub const TESTS: &str = "psl.tests";
/// Explains a diagnostic.
pub const EXPLAIN: &str = "psl.explain";
/// All commands.
pub const ALL: [&str; 5] = [RUN, TRACE, COMPILE, TESTS, EXPLAIN];

/// The argument of each command; the fields that one does not know are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Argument {
    /// The document.
    pub uri: Option<Url>,
    /// Symbols separated by spaces.
    pub prompt: Option<String>,
    /// A test, by its index from 0 or its name.
    pub test: Option<TestName>,
    /// Which machine runs it.
    #[serde(deserialize_with = "deserialize_machine")]
    pub machine: MachineKind,
    /// What to compile to.
    pub emit: Option<String>,
    /// A diagnostic's code.
    pub code: Option<String>,
}

impl Default for Argument {
    fn default() -> Self {
        let machine = MachineKind::Dat;
        Self { uri: None, prompt: None, test: None, machine, emit: None, code: None }
    }
}

/// A test of a document.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a test's index, from 0, or its name")]
pub enum TestName {
    /// Its index among the document's tests, from 0.
    Index(usize),
    /// Its name.
    Name(String),
}

/// Why a command gives no result.
#[derive(Debug)]
pub enum Refusal {
    /// Its argument is not one that it takes.
    Argument(String),
    /// Something else.
    Failed(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// A command's argument, its first; what is wrong with it in words.
pub fn argument(command: &str, arguments: Vec<Value>) -> Result<Argument, Refusal> {
    let takes = match command {
        RUN | TRACE => "{uri, prompt?, test?, machine?}",
        COMPILE => "{uri, emit?}",
        TESTS => "{uri}",
        EXPLAIN => "{code}",
        other => {
            let message = format!("there is no command `{other}`; there are {}", ALL.join(", "));
            return Err(Refusal::Argument(message));
        }
    };
    let wrong = |what: &str| Refusal::Argument(format!("{command} takes one argument {takes}: {what}"));
    let argument: Argument = match arguments.into_iter().next() {
        None => Argument::default(),
        Some(object @ Value::Object(_)) => serde_json::from_value(object).map_err(|error| wrong(&error.to_string()))?,
        Some(_) => return Err(wrong("this is no object")),
    };
    match command {
        EXPLAIN if argument.code.is_none() => Err(wrong("there is no `code`")),
        RUN | TRACE | COMPILE | TESTS if argument.uri.is_none() => Err(wrong("there is no `uri`")),
        _ => Ok(argument),
    }
}

/// What a command gives: its result, and the same in words where it is a result that people wait for.
pub struct Answer {
    /// The result.
    pub value: Value,
    /// In words, and whether it is good news.
    pub message: Option<(String, bool)>,
}

/// `psl.explain`.
pub fn explain(argument: &Argument) -> Result<Answer, Refusal> {
    let name = argument.code.as_deref().unwrap_or_default();
    let code = Code::from_name(name)
        .ok_or_else(|| Refusal::Argument(format!("no diagnostic is called `{name}`; `psl explain` lists them")))?;
    Ok(Answer { value: Value::from(code.entry().markdown()), message: None })
}

/// `psl.compile`: the text of the form asked for; for `qkvl` also `layers`, the line of each layer's production, from 0.
/// Weights are tensors and no text: theirs is a summary.
pub fn compile(snapshot: &Snapshot, argument: &Argument) -> Result<Answer, Refusal> {
    let emit = argument.emit.as_deref().unwrap_or("qkvl");
    if !["qkvl", "weights", "psl"].contains(&emit) {
        return Err(Refusal::Argument(format!("no form is called `{emit}`; there are qkvl, weights and psl")));
    }
    let runner = snapshot.runner()?;
    match emit {
        "psl" => {
            let text = snapshot.text.to_string();
            // What compiles can be formatted.
            let text = psl_syntax::format(&text).map_or(text, |formatted| formatted.text);
            Ok(Answer { value: json!({"text": text}), message: None })
        }
        "weights" => {
            let text = summary::weights(runner)?;
            Ok(Answer { value: json!({"text": text}), message: None })
        }
        _ => {
            let text = crate::commands::compile::qkvl_text(runner);
            let productions = snapshot.checked().analysis.program.productions();
            let layers: Vec<Value> = productions
                .iter()
                .zip(1..)
                .map(|(production, layer)| json!({"layer": layer, "line": snapshot.position(production.span.start).line}))
                .collect();
            Ok(Answer { value: json!({"text": text, "layers": layers}), message: None })
        }
    }
}

/// `psl.tests`: runs all tests and gives them with their ranges and results.
pub fn tests(snapshot: &Snapshot, work: &Work) -> Result<Answer, Refusal> {
    let runner = snapshot.runner()?;
    let tests = &snapshot.checked().analysis.program.tests;
    work.expect(tests.len(), "tests");
    let mut listed = Vec::new();
    let mut gave = Vec::new();
    let mut passed = 0;
    for (index, test) in tests.iter().enumerate() {
        let start = Instant::now();
        work.reach(index);
        let job = Job { prompt: &test.prompt, machine: MachineKind::Dat, work, count: false };
        let (result, _) = job.run(runner);
        not_cancelled(work)?;
        let good = matches!(&result, Ok(completion) if completion.is(&test.gold));
        passed += usize::from(good);
        listed.push(json!({
            "index": index,
            "name": test.name,
            "prompt": runner.prompt_to_json(&test.prompt),
            "gold": test.gold,
            "range": snapshot.range(test.span),
            "passed": good,
            "continuation": result.as_ref().ok().map(Completion::text),
            "explanation": result.as_ref().ok().and_then(|completion| how(snapshot, test, completion, MachineKind::Dat, work)),
            "error": result.as_ref().err().map(|failure| failure.message.clone()),
            "seconds": start.elapsed().as_secs_f64(),
        }));
        gave.push((test, result));
    }
    snapshot.record(|results| {
        for (test, result) in gave {
            results.set_test(test, result);
        }
    });
    let failed = tests.len() - passed;
    Ok(Answer { value: Value::from(listed), message: Some((format!("{passed} passed, {failed} failed"), failed == 0)) })
}

/// `psl.run`: without prompt and test, the prompt that was run last, else that of the first test.
pub fn run(snapshot: &Snapshot, argument: &Argument, work: &Work) -> Result<Answer, Refusal> {
    let runner = snapshot.runner()?;
    let chosen = choose(snapshot, argument)?;
    let start = Instant::now();
    let machine = argument.machine;
    let job = Job { prompt: &chosen.prompt, machine, work, count: true };
    let (result, fired) = job.run(runner);
    not_cancelled(work)?;
    let seconds = start.elapsed().as_secs_f64();
    snapshot.set_ran(&chosen.prompt);
    snapshot.record(|results| {
        results.fired = fired;
        match (chosen.test, &result) {
            (Some(test), result) => results.set_test(test, result.clone()),
            (None, Ok(completion)) => results.last = Some((chosen.prompt.clone(), completion.clone())),
            (None, Err(_)) => {}
        }
    });
    let completion = result.map_err(|failure| failure.message)?;
    let mut value = json!({
        "continuation": completion.text(),
        "steps": completion.symbols.len(),
        "seconds": seconds,
        "stopped": stopped_in_words(completion.stopped),
    });
    let note = runner.test_note(&chosen.prompt);
    let mut message = (completion.shown(), true);
    if let (Some(test), Some(fields)) = (chosen.test, value.as_object_mut()) {
        let passed = completion.is(&test.gold);
        fields.insert("gold".to_owned(), Value::from(test.gold.as_str()));
        fields.insert("passed".to_owned(), Value::from(passed));
        message = if passed {
            (format!("✓ {}", completion.text()), true)
        } else {
            let how = how(snapshot, test, &completion, machine, work);
            fields.insert("explanation".to_owned(), Value::from(how.clone()));
            let how = how.map_or_else(String::new, |how| format!("; {how}"));
            (format!("✗ expected {}, got {}{how}", test.gold, completion.text()), false)
        };
    }
    if let (Some(note), Some(fields)) = (note, value.as_object_mut()) {
        message.0 = format!("{}\nnote: {note}", message.0);
        fields.insert("note".to_owned(), Value::from(note));
    }
    Ok(Answer { value, message: Some(message) })
}

/// Where the run of a test parts from one that gives the gold, in words.
fn how(snapshot: &Snapshot, test: &TestCase, got: &Completion, machine: MachineKind, work: &Work) -> Option<String> {
    let parting = parting(snapshot.runner().ok()?, test, got, machine, &work.cancelled)?;
    Some(parting.in_words(|span| Some(snapshot.position(span.start).line as usize + 1)))
}

/// What a cancelled run gave says nothing about the program, so it is not kept.
fn not_cancelled(work: &Work) -> Result<(), String> {
    if work.cancelled.load(Ordering::Relaxed) { Err("the run was cancelled".to_owned()) } else { Ok(()) }
}

/// `psl.trace`: every cell of every layer of the same run.
pub fn trace(snapshot: &Snapshot, argument: &Argument, work: &Work) -> Result<Answer, Refusal> {
    let runner = snapshot.runner()?;
    let chosen = choose(snapshot, argument)?;
    let in_words = |failure: RunFailure| failure.message;
    let mut task = runner.test_task(&chosen.prompt).map_err(in_words)?;
    task.limits.cancelled = Some(Arc::clone(&work.cancelled));
    let mut lines = Vec::new();
    runner
        .complete(&task, argument.machine, Some(&mut |update| lines.push(runner.trace_line(update, &task))))
        .map_err(in_words)?;
    Ok(Answer { value: Value::from(lines), message: None })
}

struct Chosen<'s> {
    prompt: TestPrompt,
    /// The test whose prompt it is, where a test was asked for.
    test: Option<&'s TestCase>,
}

fn choose<'s>(snapshot: &'s Snapshot, argument: &Argument) -> Result<Chosen<'s>, Refusal> {
    let tests = &snapshot.checked().analysis.program.tests;
    if let Some(prompt) = &argument.prompt {
        return Ok(Chosen { prompt: TestPrompt::Plain(prompt.clone()), test: None });
    }
    let (test, named) = match &argument.test {
        Some(TestName::Index(index)) => (tests.get(*index), format!("there is no test {index}, counted from 0")),
        Some(TestName::Name(name)) => {
            (tests.iter().find(|test| test.name.as_ref() == Some(name)), format!("no test is called `{name}`"))
        }
        None => {
            let prompt = snapshot.usual_prompt();
            let none = "say which prompt: pass {prompt}, or write a line `//@ test \"prompt\" => \"gold\"`";
            return prompt.map(|prompt| Chosen { prompt, test: None }).ok_or_else(|| Refusal::Failed(none.to_owned()));
        }
    };
    test.map(|test| Chosen { prompt: test.prompt.clone(), test: Some(test) }).ok_or(Refusal::Argument(named))
}

/// One run.
struct Job<'a> {
    prompt: &'a TestPrompt,
    machine: MachineKind,
    work: &'a Work,
    /// Whether to count how often each production fired.
    count: bool,
}

impl Job<'_> {
    /// The continuation, and how often each production fired.
    fn run(&self, runner: &Runner) -> (Result<Completion, RunFailure>, Vec<usize>) {
        let mut task = match runner.test_task(self.prompt) {
            Ok(task) => task,
            Err(failure) => return (Err(failure), Vec::new()),
        };
        task.limits.cancelled = Some(Arc::clone(&self.work.cancelled));
        if !self.count {
            return (runner.complete(&task, self.machine, None), Vec::new());
        }
        self.work.expect(task.limits.max_new, "symbols at most");
        let mut fired = vec![0; runner.executable().qkvl.layers().len()];
        let result = runner.complete(
            &task,
            self.machine,
            Some(&mut |update| {
                self.work.reach(update.step);
                if let Some(times) = update.layer.checked_sub(1).and_then(|index| fired.get_mut(index)) {
                    *times += usize::from(update.attends.is_some());
                }
            }),
        );
        (result, fired)
    }
}

#[cfg(test)]
mod cancelling {
    use super::*;
    use crate::server::documents::Documents;

    #[test]
    fn a_cancelled_run_leaves_no_result() {
        let documents = Documents::default();
        let uri = Url::parse("untitled:1").expect("a URI");
        let program = "//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n\
                       where symbol[N] == A:\n    symbol[N] = A\n";
        documents.open(uri.clone(), 1, program);
        let snapshot = documents.get(&uri).expect("it is open");
        let work = Work::default();
        work.cancelled.store(true, Ordering::Relaxed);
        let argument = Argument { test: Some(TestName::Index(0)), ..Argument::default() };
        assert!(run(&snapshot, &argument, &work).is_err());
        assert!(super::tests(&snapshot, &work).is_err());
        assert!(snapshot.results().is_empty() && snapshot.ran().is_none());
    }
}

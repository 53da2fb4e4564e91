//! The commands that run a program: their results, and the history that they leave.

use psl_program::{
    FailedTest, File, Outcome, Progress, Prompt, RunHistory, RunRequest, TestName, failed_test, run, run_listed_test,
};
use psl_syntax::{Span, program::TestCase, tree::DirectiveKind};
use serde_json::Value;

use crate::page::Page;

/// Executes `psl.run` or `psl.tests`.
///
/// # Errors
///
/// Returns the message of a refusal.
pub fn command(file: &File, history: &mut RunHistory, given: &Value) -> Result<String, String> {
    match given["command"].as_str() {
        Some("psl.run") => run_once(file, history, &given["arguments"][0]),
        Some("psl.tests") => run_tests(file, history),
        other => panic!("{other:?} is about the protocol: add `--- protocol` as the first line"),
    }
}

fn run_once(file: &File, history: &mut RunHistory, argument: &Value) -> Result<String, String> {
    let test = match (&argument["test"], argument["test"].as_u64()) {
        (Value::String(name), _) => Some(TestName::Name(name.clone())),
        (_, index) => index.map(|index| TestName::Index(index as usize)),
    };
    let given = argument["prompt"].as_str().map(|symbols| Prompt::Plain(symbols.to_owned()));
    let machine = argument["machine"]
        .as_str()
        .map(str::parse::<psl_runtime::MachineKind>)
        .transpose()
        .map_err(|error| error.to_string())?;
    let request = RunRequest { prompt: given.or(test.map(Prompt::Test)), machine };
    let outcome = run(file, history, &request, &Progress::default()).map_err(|refusal| refusal.to_string())?;
    history.note(file, &outcome);
    let continuation = outcome.outcome.result.as_ref().map_err(|failure| failure.message.clone())?;
    let mut shown = vec![
        format!("continuation: {}", continuation.text()),
        format!("steps: {}", continuation.symbols.len()),
        format!("stopped: {}", continuation.stopped.as_str()),
    ];
    if let Some(test) = outcome.test.map(|index| &file.program().tests[index]) {
        let (passed, case) = (outcome.outcome.passes(test), outcome.outcome.case(test));
        shown.extend([
            format!("prompt: {}", prompt(file, case)),
            format!("gold: {}", case.gold),
            format!("passed: {passed}"),
        ]);
        if !passed {
            shown.push(format!("explanation: {}", explanation(file, &outcome.outcome)));
        }
        shown.push(places(file, test, &outcome.outcome));
        shown.extend(law(file, test, &outcome.outcome));
    }
    shown.extend(outcome.note.as_ref().map(|note| format!("note: {note}")));
    Ok(shown.join(", ") + "\n")
}

fn run_tests(file: &File, history: &mut RunHistory) -> Result<String, String> {
    file.runner().map_err(|error| error.to_string())?;
    let tests = &file.program().tests;
    let outcome = |index| run_listed_test(file, index, &Progress::default()).map_err(|refusal| refusal.to_string());
    let outcomes = (0..tests.len()).map(outcome).collect::<Result<Vec<_>, _>>()?;
    let show = |((index, test), outcome): ((usize, &TestCase), &psl_program::RunOutcome)| {
        let continuation = outcome.outcome.result.as_ref().ok();
        let case = outcome.outcome.case(test);
        let stopped = continuation.map(|continuation| continuation.stopped.as_str());
        let text = continuation.map(psl_program::Continuation::text);
        let why = outcome.outcome.result.as_ref().err().map(|failure| failure.message.as_str());
        format!(
            "index: {index}, name: {}, prompt: {}, gold: {}, range: {}, passed: {}, continuation: {}, stopped: {}, \
             explanation: {}, {}, error: {}{}{}\n",
            or_null(test.name.as_deref()),
            prompt(file, case),
            case.gold,
            Page { file }.range(test.span),
            outcome.outcome.passes(test),
            or_null(text.as_deref()),
            or_null(stopped),
            explanation(file, &outcome.outcome),
            places(file, test, &outcome.outcome),
            or_null(why),
            if test.law.is_some() { ", " } else { "" },
            law(file, test, &outcome.outcome).unwrap_or_default(),
        )
    };
    let shown = tests.iter().enumerate().zip(&outcomes).map(show).collect();
    history.note_tests(file, outcomes);
    Ok(shown)
}

fn prompt(file: &File, case: &TestCase) -> String {
    file.compiled().prompt_to_json(&Prompt::from(&case.prompt)).as_str().expect("a plain prompt").to_owned()
}

/// The fields of a law.
fn law(file: &File, test: &TestCase, outcome: &Outcome) -> Option<String> {
    let law = outcome.law.as_ref()?;
    let mut directives = file.checked().tree.directives.iter();
    let directive = directives.find(|directive| directive.span == test.span)?;
    let DirectiveKind::Law { prompt, gold, .. } = &directive.kind else { return None };
    let symbols = law.refutation.as_ref().map(psl_program::laws::Refutation::symbols_in_words);
    let (holds, symbols) = (or_null(law.holds.as_deref()), or_null(symbols.as_deref()));
    Some(format!("law: {prompt} => {gold}, runs: {}, holds: {holds}, symbols: {symbols}", law.runs))
}

fn explanation(file: &File, outcome: &Outcome) -> String {
    let line = |span: Span| Some(file.line_index().line(span.start) + 1);
    let program = file.program();
    outcome.explanation.as_ref().map_or_else(|| "null".to_owned(), |explanation| explanation.in_words(program, line))
}

/// The places that show why a test failed.
fn places(file: &File, test: &TestCase, outcome: &Outcome) -> String {
    let FailedTest { missed, related } = failed_test(file, test, outcome);
    let range = |span| Page { file }.range(span);
    let related = related.map(|label| format!("location: {}, message: {}", range(label.span), label.message));
    format!("missed: {}, related: [{}]", missed.map_or("null".to_owned(), range), related.unwrap_or_default())
}

fn or_null(text: Option<&str>) -> &str {
    text.unwrap_or("null")
}

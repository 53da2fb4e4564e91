//! Code lenses: run, debug or explore a test, run all tests, run a prompt, and the firing count of each layer.

use psl_program::{File, Outcome, Prompt, RunHistory};
use psl_syntax::{Span, program::TestCase};

use crate::editor_command::EditorCommand;

pub struct CodeLens {
    /// The line below the lens.
    pub span: Span,
    /// The text shown to the user.
    pub title: String,
    /// The command of a click.
    pub command: EditorCommand,
}

/// The result of a test in a few words.
fn result(test: &TestCase, outcome: &Outcome) -> String {
    let mark = if outcome.passes(test) { '✓' } else { '✗' };
    let Some(law) = &outcome.law else {
        return match &outcome.result {
            Ok(continuation) => format!("{mark} {}", continuation.text()),
            Err(failure) => format!("{mark} {}", failure.message),
        };
    };
    match (&law.refutation, &outcome.result) {
        (None, _) => format!("{mark} {}", law.holds.as_deref().unwrap_or_default()),
        (Some(broken), Ok(continuation)) => format!("{mark} {} for {}", continuation.text(), broken.symbols_in_words()),
        (Some(broken), Err(failure)) => format!("{mark} {} for {}", failure.message, broken.symbols_in_words()),
    }
}

/// Returns the lenses of a file, with the results of its runs.
pub fn code_lenses(file: &File, history: &RunHistory) -> Vec<CodeLens> {
    let program = file.program();
    let results = history.results(file);
    let holes = if file.has_only_holes() { ": the program has holes" } else { "" };
    let top = Span::default();
    let mut lenses = Vec::new();
    if !program.tests.is_empty() {
        let known: Option<Vec<_>> = program.tests.iter().map(|test| Some((test, results.test(test)?))).collect();
        let title = known.map_or_else(
            || format!("▶ Run all tests{holes}"),
            |known| {
                let passed = known.iter().filter(|(test, outcome)| outcome.passes(test)).count();
                match known.len() - passed {
                    0 => format!("▶ Run all tests: {passed} passed"),
                    failed => format!("▶ Run all tests: {passed} passed, {failed} failed"),
                }
            },
        );
        lenses.push(CodeLens { span: top, title, command: EditorCommand::RunTests });
    }
    let title = match &results.last {
        Some((_, continuation)) => format!("▶ Run on a prompt… ⇒ {}", continuation.shown()),
        None => "▶ Run on a prompt…".to_owned(),
    };
    lenses.push(CodeLens { span: top, title, command: EditorCommand::Run });
    for (index, test) in program.tests.iter().enumerate() {
        let title = match results.test(test) {
            None => {
                let title = format!("▶ Run {} {}", test.kind(), test.name.as_deref().unwrap_or_default());
                format!("{}{holes}", title.trim_end())
            }
            Some(outcome) => result(test, outcome),
        };
        lenses.push(CodeLens { span: test.span, title, command: EditorCommand::RunTest(index) });
        let title = "⇄ Debug".to_owned();
        lenses.push(CodeLens { span: test.span, title, command: EditorCommand::Debug(index) });
        let title = "◫ Explore".to_owned();
        lenses.push(CodeLens { span: test.span, title, command: EditorCommand::Explore(index) });
    }
    // The lens of a layer repeats the last run, or runs the first test.
    let ran = history.last_prompt(file);
    let test = ran.as_ref().map_or_else(
        || (!program.tests.is_empty()).then_some(0),
        |prompt| program.tests.iter().position(|test| Prompt::from(&test.prompt) == *prompt),
    );
    let again = match (test, ran) {
        (Some(index), _) => EditorCommand::RunTest(index),
        (None, Some(Prompt::Plain(prompt))) => EditorCommand::RunPrompt(prompt),
        (None, _) => EditorCommand::Run,
    };
    let plan = file.plan();
    for (index, production) in program.productions().into_iter().enumerate() {
        let title = match results.fired.get(index) {
            None => format!("Layer {}", index + 1),
            Some(0) => format!("Layer {} · did not fire", index + 1),
            Some(times) => format!("Layer {} · fired {times}×", index + 1),
        };
        let title = match plan.and_then(|plan| plan.place_in_words(index)) {
            Some(place) => format!("{title} · scheduled in {place}"),
            None => title,
        };
        lenses.push(CodeLens { span: production.head, title, command: again.clone() });
    }
    lenses
}

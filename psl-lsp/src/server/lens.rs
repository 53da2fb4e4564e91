//! Code lenses: run a test, run all tests, run a prompt, and what each layer did.

use psl_syntax::{
    Span,
    program::{TestCase, TestPrompt},
};
use serde_json::{Value, json};

use crate::{
    execute::{Completion, RunFailure},
    server::{commands, documents::Snapshot},
};

/// A lens: what it stands on, what it says, and the command it runs.
pub struct Lens {
    /// What it stands on.
    pub span: Span,
    /// What it says.
    pub title: String,
    /// The command.
    pub command: &'static str,
    /// Its argument.
    pub argument: Value,
}

/// The lenses of a version, with the results of its runs.
pub fn lenses(snapshot: &Snapshot) -> Vec<Lens> {
    let checked = snapshot.checked();
    let program = &checked.analysis.program;
    let results = snapshot.results();
    let uri = snapshot.uri.as_str();
    let top = Span::default();
    let mut lenses = Vec::new();
    if !program.tests.is_empty() {
        let known: Option<Vec<_>> = program.tests.iter().map(|test| Some((test, results.test(test)?))).collect();
        let title = known.map_or_else(
            || "▶ Run all tests".to_owned(),
            |known| {
                let passed = known.iter().filter(|(test, result)| passes(test, result)).count();
                match known.len() - passed {
                    0 => format!("▶ Run all tests: {passed} passed"),
                    failed => format!("▶ Run all tests: {passed} passed, {failed} failed"),
                }
            },
        );
        lenses.push(Lens { span: top, title, command: commands::TESTS, argument: json!({"uri": uri}) });
    }
    let title = match &results.last {
        Some((_, continuation)) => format!("▶ Run on a prompt… ⇒ {}", continuation.shown()),
        None => "▶ Run on a prompt…".to_owned(),
    };
    lenses.push(Lens { span: top, title, command: commands::RUN, argument: json!({"uri": uri}) });
    for (index, test) in program.tests.iter().enumerate() {
        let title = match results.test(test) {
            None => format!("▶ Run test {}", test.name.as_deref().unwrap_or_default()).trim_end().to_owned(),
            Some(Ok(completion)) if completion.is(&test.gold) => format!("✓ {}", completion.text()),
            Some(Ok(completion)) => format!("✗ {}", completion.text()),
            Some(Err(failure)) => format!("✗ {}", failure.message),
        };
        let argument = json!({"uri": uri, "test": index});
        lenses.push(Lens { span: test.span, title, command: commands::RUN, argument });
    }
    // A layer's lens runs once more what was run last, else the first test.
    let ran = snapshot.ran();
    let test = ran.as_ref().map_or_else(
        || (!program.tests.is_empty()).then_some(0),
        |prompt| program.tests.iter().position(|test| test.prompt == *prompt),
    );
    let again = match (test, ran) {
        (Some(index), _) => json!({"uri": uri, "test": index}),
        (None, Some(TestPrompt::Plain(prompt))) => json!({"uri": uri, "prompt": prompt}),
        (None, _) => json!({"uri": uri}),
    };
    for (index, production) in program.productions().into_iter().enumerate() {
        let title = match results.fired.get(index) {
            None => format!("layer {}", index + 1),
            Some(0) => format!("layer {} · did not fire", index + 1),
            Some(times) => format!("layer {} · fired {times}×", index + 1),
        };
        lenses.push(Lens { span: production.head, title, command: commands::RUN, argument: again.clone() });
    }
    lenses
}

fn passes(test: &TestCase, result: &Result<Completion, RunFailure>) -> bool {
    matches!(result, Ok(completion) if completion.is(&test.gold))
}

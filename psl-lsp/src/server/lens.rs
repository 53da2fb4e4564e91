//! Code lenses: run a test, run all tests, run a prompt, and what each layer did.

use psl_syntax::Span;
use serde_json::{Value, json};

use crate::server::{
    commands,
    documents::{Ran, Snapshot},
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
        let title = if results.tests.len() == program.tests.len() {
            let passed = program
                .tests
                .iter()
                .enumerate()
                .filter(|(index, test)| matches!(results.tests.get(index), Some(Ok(completion)) if completion.is(&test.gold)))
                .count();
            match program.tests.len() - passed {
                0 => format!("▶ Run all tests: {passed} passed"),
                failed => format!("▶ Run all tests: {passed} passed, {failed} failed"),
            }
        } else {
            "▶ Run all tests".to_owned()
        };
        lenses.push(Lens { span: top, title, command: commands::TESTS, argument: json!({"uri": uri}) });
    }
    let title = match &results.last {
        Some((_, continuation)) => format!("▶ Run on a prompt… ⇒ {continuation}"),
        None => "▶ Run on a prompt…".to_owned(),
    };
    lenses.push(Lens { span: top, title, command: commands::RUN, argument: json!({"uri": uri}) });
    for (index, test) in program.tests.iter().enumerate() {
        let title = match results.tests.get(&index) {
            None => format!("▶ Run test {}", test.name.as_deref().unwrap_or_default()).trim_end().to_owned(),
            Some(Ok(completion)) if completion.is(&test.gold) => format!("✓ {}", completion.text()),
            Some(Ok(completion)) => format!("✗ {}", completion.text()),
            Some(Err(failure)) => format!("✗ {}", failure.message),
        };
        let argument = json!({"uri": uri, "test": index});
        lenses.push(Lens { span: test.span, title, command: commands::RUN, argument });
    }
    // A layer's lens runs once more what was run last, else the first test.
    let again = match &results.ran {
        Some(Ran::Prompt(prompt)) => json!({"uri": uri, "prompt": prompt}),
        Some(Ran::Test(index)) => json!({"uri": uri, "test": index}),
        None if program.tests.is_empty() => json!({"uri": uri}),
        None => json!({"uri": uri, "test": 0}),
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

//! What is wrong with a document: the text's own findings, and those of the tests run on it.

use psl_syntax::{Code, Diagnostic, Levels, program::TestCase, settle};

use crate::{
    execute::{Completion, RunFailure},
    server::documents::Snapshot,
};

/// All diagnostics of a version.
pub fn diagnostics(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let checked = snapshot.checked();
    let mut found = checked.diagnostics.clone();
    let results = snapshot.results();
    for (index, test) in checked.analysis.program.tests.iter().enumerate() {
        found.extend(results.tests.get(&index).and_then(|result| failing_test(test, result)));
    }
    let all_ran = results.tests.len() == checked.analysis.program.tests.len();
    settle(&checked.tree, found, if all_ran { &[] } else { &[Code::FailingTest] }, &Levels::default())
}

/// The diagnostic of a test that fails.
pub fn failing_test(test: &TestCase, result: &Result<Completion, RunFailure>) -> Option<Diagnostic> {
    let name = test.name.as_deref().map_or_else(|| "this test".to_owned(), |name| format!("test `{name}`"));
    match result {
        Ok(completion) if completion.is(&test.gold) => None,
        Ok(completion) => {
            let message = format!("{name} fails: expected `{}`, got `{}`", test.gold, completion.text());
            Some(Diagnostic::new(Code::FailingTest, test.span, message))
        }
        Err(failure) => {
            let diagnostic =
                Diagnostic::new(Code::FailingTest, test.span, format!("{name} fails: {}", failure.message));
            Some(match failure.span {
                Some(span) => diagnostic.label(span, "this block"),
                None => diagnostic,
            })
        }
    }
}

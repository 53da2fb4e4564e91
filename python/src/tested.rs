//! Tests that have run.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_program::{
    Runner, explain_failure,
    laws::{Decided, LawVerdict},
};
use psl_runtime::MachineKind;
use psl_syntax::program::{TestCase, TestPrompt};
use pyo3::prelude::*;

use super::data;

/// The result of a test, or of the case of a law.
pub struct Tested {
    case: TestCase,
    law: Option<LawVerdict>,
    got: Option<String>,
    passed: bool,
    /// The difference, or the reason why there is no continuation.
    message: String,
}

impl Tested {
    /// Runs a test.
    pub fn new(runner: &Runner, test: &TestCase, machine: MachineKind, cancelled: &Arc<AtomicBool>) -> Self {
        let decided = runner.decide(test, machine, &|| cancelled.load(Ordering::Relaxed), u64::MAX);
        let law = match &decided {
            Ok(Decided::Law(law)) => Some(LawVerdict::clone(law)),
            Ok(Decided::Test | Decided::No) | Err(_) => None,
        };
        let case = law.as_ref().map_or(test, |law| &law.case).clone();
        let result = decided.and_then(|_| runner.test_task(&case)).and_then(|mut task| {
            task.limits.cancelled = vec![Arc::clone(cancelled)];
            runner.complete(&task, machine, None)
        });
        let broken = law.as_ref().is_some_and(|law| law.refutation.is_some());
        let (got, passed, message) = match result {
            Ok(continuation) if !broken && continuation.is(&case.gold) => {
                (Some(continuation.text()), true, String::new())
            }
            Ok(continuation) => {
                let explanation = explain_failure(runner, &case.gold, &continuation, |_| None);
                let message = explanation.map_or_else(String::new, |it| it.difference().to_owned());
                (Some(continuation.text()), false, message)
            }
            Err(failure) => (None, false, failure.message),
        };
        Self { case, law, got, passed, message }
    }

    /// The result as a `TestResult`.
    pub fn into_object<'py>(self, py: Python<'py>, test: &TestCase, line: usize) -> PyResult<Bound<'py, PyAny>> {
        let Self { case, law, got, passed, message } = self;
        let prompt = match &case.prompt {
            TestPrompt::Plain(symbols) => Some(symbols.as_str()),
            TestPrompt::Json(_) => None,
        };
        let runs = law.as_ref().map_or(1, |law| law.runs);
        let holds = law.as_ref().and_then(|law| law.holds.as_deref());
        let refutation = law.as_ref().and_then(|law| law.refutation.as_ref());
        let symbols = refutation.map(|it| it.symbols.iter().cloned().collect::<BTreeMap<String, String>>());
        let fields = (&test.name, line, &case.gold, got, passed, message, test.kind(), prompt, runs, holds, symbols);
        data::object(py, "TestResult", fields)
    }
}

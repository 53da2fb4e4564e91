//! The results of a file's tests, as facts: [`crate::diagnostics`] turns them into diagnostics.

use std::sync::atomic::{AtomicBool, Ordering};

use psl_runtime::{
    CellId, Continuation, MachineKind, RunFailure,
    record::{Activity, SymbolWrites},
};
use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, TestCase},
};

use crate::{
    brief_run::run_briefly,
    failure_explanation::{FailureExplanation, explain_failure},
    file::File,
    laws::{Decided, LawVerdict, MAX_LAW_WORK},
};

/// The results of a file's tests. The default applies to a file without tests.
#[derive(Default)]
pub struct TestReport {
    outcomes: Vec<Option<Outcome>>,
    layers: IndexVec<ProductionId, LayerStats>,
}

/// The outcome of a test.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The continuation, or the reason why there is none.
    pub result: Result<Continuation, RunFailure>,
    /// The explanation of a wrong continuation.
    pub explanation: Option<FailureExplanation>,
    /// The verdict, if the test is a law that could be decided. The result is that of its case.
    pub law: Option<LawVerdict>,
}

impl Outcome {
    /// Whether the test passes with this outcome.
    pub fn passes(&self, test: &TestCase) -> bool {
        match &self.law {
            Some(law) => law.refutation.is_none(),
            None => self.result.as_ref().is_ok_and(|continuation| continuation.is(&test.gold)),
        }
    }

    /// The prompt that ran, and its expected continuation: those of a law's case, else of the test.
    pub fn case<'t>(&'t self, test: &'t TestCase) -> &'t TestCase {
        self.law.as_ref().map_or(test, |law| &law.case)
    }
}

/// The activity of a layer in the runs of all tests.
#[derive(Clone, Copy, Default)]
pub struct LayerStats {
    /// The number of cells in which it matched, over all passes.
    pub matches: usize,
    /// The number of those cells N that attended to a cell n > N.
    pub ahead: usize,
    /// The first match with n > N.
    pub first_ahead: Option<Ahead>,
}

/// A match with a cell to the right.
#[derive(Clone, Copy)]
pub struct Ahead {
    /// The index of the test in the file.
    pub test: usize,
    /// The cell that was updated, N.
    pub cell: CellId,
    /// The cell that it attended to, n.
    pub attends: CellId,
}

/// The outcome of one test, and the activity of each layer in its run.
pub struct TestRun {
    /// `None` if it was stopped early.
    outcome: Option<Outcome>,
    /// Empty if the test did not run.
    layers: IndexVec<ProductionId, Activity>,
}

/// Runs a test of a file by its index. The run stops early if it takes too long or `cancelled` is set. `None` if the
/// program does not compile or the test is missing. Callers run the tests of a file in parallel and collect them in a
/// [`TestReport`].
pub fn run_test(file: &File, index: usize, cancelled: &AtomicBool) -> Option<TestRun> {
    let runner = file.runner().ok()?;
    let test = file.program().tests.get(index)?;
    let not_run = |outcome| Some(TestRun { outcome, layers: IndexVec::default() });
    let failed = |failure| not_run(Some(Outcome { result: Err(failure), explanation: None, law: None }));
    let law = match runner.decide(test, MachineKind::Dat, &|| cancelled.load(Ordering::Relaxed), MAX_LAW_WORK) {
        Ok(Decided::No) => return not_run(None),
        Ok(Decided::Law(law)) => Some(*law),
        Ok(Decided::Test) => None,
        Err(failure) => return failed(failure),
    };
    let test = law.as_ref().map_or(test, |law| &law.case);
    let task = match runner.test_task(test) {
        Ok(task) => task,
        Err(failure) => return failed(failure),
    };
    let mut layers = IndexVec::from(vec![Activity::default(); runner.executable().qkvl().layers().len()]);
    let mut writes = SymbolWrites::new(runner.executable(), &task);
    let result = run_briefly(runner, &task, MachineKind::Dat, cancelled, |update| {
        Activity::count(&mut layers, update);
        writes.read(update);
    });
    let outcome = result.map(|result| {
        let explain = |got: &Continuation| explain_failure(runner, &test.gold, got, |symbol| writes.of(symbol));
        let explanation = result.as_ref().ok().and_then(explain);
        Outcome { result, explanation, law: law.clone() }
    });
    Some(TestRun { outcome, layers })
}

impl TestReport {
    /// Collects the runs of all tests of a file, in order.
    pub fn new(runs: Vec<TestRun>) -> Self {
        let mut report = Self::default();
        for (test, TestRun { outcome, layers }) in runs.into_iter().enumerate() {
            report.outcomes.push(outcome);
            report.layers.resize_with(report.layers.len().max(layers.len()), LayerStats::default);
            for (all, one) in report.layers.as_mut_slice().iter_mut().zip(layers) {
                all.matches += one.fired;
                all.ahead += one.ahead;
                let ahead = |(cell, attends)| Ahead { test, cell, attends };
                all.first_ahead = all.first_ahead.or(one.first_ahead.map(ahead));
            }
        }
        report
    }

    /// The activity of a layer, or `None` if no test ran.
    pub fn layer(&self, layer: ProductionId) -> Option<&LayerStats> {
        self.layers.find(layer).filter(|_| !self.outcomes.is_empty())
    }

    /// The outcome of a test by its index, or `None` if it was stopped early.
    pub fn outcome(&self, test: usize) -> Option<&Outcome> {
        self.outcomes.get(test)?.as_ref()
    }

    /// Whether all tests ran to their end.
    pub fn is_complete(&self) -> bool {
        self.outcomes.iter().all(Option::is_some)
    }
}

//! What a file's tests show of its program, as facts: [`crate::diagnostics`] makes diagnostics from them.

use std::sync::atomic::AtomicBool;

use psl_runtime::MachineKind;
use psl_syntax::program::TestCase;

use crate::{
    brief_run::run_briefly,
    failure_explanation::{FailureExplanation, explain_failure},
    file::File,
    runner::{Continuation, RunFailure},
};

/// What the tests of a file showed. The default is that of a file without tests.
#[derive(Default)]
pub struct TestReport {
    outcomes: Vec<Option<Outcome>>,
    /// Entry i is layer i + 1.
    layers: Vec<LayerStats>,
}

/// What a test gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The continuation, or why there is none.
    pub result: Result<Continuation, RunFailure>,
    /// How it came to a continuation that is not the gold.
    pub explanation: Option<FailureExplanation>,
}

impl Outcome {
    /// Whether the test that gave this passes.
    pub fn passes(&self, test: &TestCase) -> bool {
        self.result.as_ref().is_ok_and(|continuation| continuation.is(&test.gold))
    }
}

/// What a layer did in the runs of all tests.
#[derive(Clone, Copy, Default)]
pub struct LayerStats {
    /// In how many cells it matched, all passes counted.
    pub matches: usize,
    /// In how many of those cells N it attended to a cell n > N.
    pub ahead: usize,
    /// The first match with n > N.
    pub first_ahead: Option<Ahead>,
}

/// A match with a cell to the right.
#[derive(Clone, Copy)]
pub struct Ahead {
    /// The test, by its index in the file.
    pub test: usize,
    /// The number of the cell that was updated, N, from 1.
    pub cell: usize,
    /// The number of the cell that it attended to, n, from 1.
    pub attends: usize,
}

/// One test, run.
pub struct TestRun {
    /// Nothing where it was given up.
    outcome: Option<Outcome>,
    /// Entry i is layer i + 1; empty where the test did not run.
    layers: Vec<LayerStats>,
}

/// Runs a test of a file, by its index; it is given up when it takes long or `cancelled` is set. Nothing where the program does
/// not compile or has no such test. Callers run the tests of a file side by side and put them into a [`TestReport`].
pub fn run_test(file: &File, index: usize, cancelled: &AtomicBool) -> Option<TestRun> {
    let runner = file.runner().ok()?;
    let test = file.checked().analysis.program.tests.get(index)?;
    let task = match runner.test_task(&test.prompt) {
        Ok(task) => task,
        Err(failure) => {
            let outcome = Some(Outcome { result: Err(failure), explanation: None });
            return Some(TestRun { outcome, layers: Vec::new() });
        }
    };
    let mut layers = vec![LayerStats::default(); runner.executable().qkvl.layers().len()];
    let result = run_briefly(runner, task, MachineKind::Dat, cancelled, |update| {
        let stats = update.layer.checked_sub(1).and_then(|layer| layers.get_mut(layer));
        if let (Some(stats), Some(n)) = (stats, update.attends) {
            stats.matches += 1;
            if n > update.cell {
                stats.ahead += 1;
                stats.first_ahead.get_or_insert(Ahead { test: index, cell: update.cell, attends: n });
            }
        }
    });
    let outcome = result.map(|result| {
        let explain = |got: &Continuation| explain_failure(runner, test, got, MachineKind::Dat, cancelled);
        let explanation = result.as_ref().ok().and_then(explain);
        Outcome { result, explanation }
    });
    Some(TestRun { outcome, layers })
}

impl TestReport {
    /// Of all tests of a file, in their order.
    pub fn new(runs: Vec<TestRun>) -> Self {
        let mut report = Self::default();
        for TestRun { outcome, layers } in runs {
            report.outcomes.push(outcome);
            report.layers.resize(report.layers.len().max(layers.len()), LayerStats::default());
            for (all, one) in report.layers.iter_mut().zip(layers) {
                all.matches += one.matches;
                all.ahead += one.ahead;
                all.first_ahead = all.first_ahead.or(one.first_ahead);
            }
        }
        report
    }

    /// What a layer, counted from 0, did; nothing where no test ran.
    pub fn layer(&self, layer: usize) -> Option<&LayerStats> {
        self.layers.get(layer).filter(|_| !self.outcomes.is_empty())
    }

    /// What a test gave, by its index; nothing where it was given up.
    pub fn outcome(&self, test: usize) -> Option<&Outcome> {
        self.outcomes.get(test)?.as_ref()
    }

    /// Whether no test was given up.
    pub fn is_complete(&self) -> bool {
        self.outcomes.iter().all(Option::is_some)
    }
}

//! The effect of other ablated layers on a run.

use psl_program::{Continuation, RunFailure};
use psl_runtime::{CellId, record::RecordedRun};

/// The differences between a run and the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The continuation of the run before, or the reason why it failed.
    pub before: Result<String, RunFailure>,
    /// The continuation of the run, or the reason why it fails.
    pub after: Result<String, RunFailure>,
    /// The cells that both have and that end with other values.
    pub cells: Vec<CellId>,
    /// Whether the run lacks the place of the debugger.
    pub has_moved: bool,
}

impl Effect {
    pub(super) fn of(before: &RecordedRun, after: &RecordedRun, has_moved: bool) -> Self {
        let end = |run: &RecordedRun, cell: CellId| run.state(cell, run.end());
        let differs = |&cell: &CellId| end(before, cell) != end(after, cell);
        let cells = CellId::first(before.cells().min(after.cells())).filter(differs).collect();
        Self { before: shown(before), after: shown(after), cells, has_moved }
    }
}

fn shown(run: &RecordedRun) -> Result<String, RunFailure> {
    run.outcome().as_ref().map(Continuation::shown).map_err(Clone::clone)
}

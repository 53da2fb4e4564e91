//! Patching: the values that a run has at single places, put into another run.

use std::sync::{Arc, atomic::AtomicBool};

use psl_runtime::{
    CellId, Change, ChangeTime, Continuation, RunFailure, Task, ValueId,
    record::{RecordedRun, Row, RowId, Time},
};
use psl_syntax::program::RegisterId;
use thiserror::Error;

use crate::{counting::count, runner::Runner};

/// The places of a base run at which another run, the donor, has other values.
pub struct Patching<'r> {
    runner: &'r Runner,
    task: Task,
    places: usize,
    differing: Vec<PatchPlace>,
}

/// A register of a cell right after a layer, which has different values in two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchPlace {
    /// The layer and its passes in the base run.
    pub row: Row,
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The value of the base run, as text. `None` is null.
    pub base: Option<String>,
    /// The value of the donor, as text: after its last pass if the donor took fewer.
    pub donor: Option<String>,
    /// The donor's value in the task of the base run.
    value: Option<ValueId>,
}

/// Prompts whose cells do not correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the prompts have {} and {}: only prompts of one length can be compared cell by cell", count(*.base, "cell"), count(*.donor, "cell"))]
pub struct NotAligned {
    /// The number of cells of the base run's prompt.
    pub base: usize,
    /// The number of cells of the donor's prompt.
    pub donor: usize,
}

impl<'r> Patching<'r> {
    /// Compares the prompt passes of two runs of a program. `task` is that of the base run.
    ///
    /// # Errors
    ///
    /// Fails for prompts of different lengths.
    pub fn new(
        runner: &'r Runner,
        mut task: Task,
        base: &RecordedRun,
        donor: &RecordedRun,
    ) -> Result<Self, NotAligned> {
        let cells = base.prompt_cells();
        if cells != donor.prompt_cells() {
            return Err(NotAligned { base: cells, donor: donor.prompt_cells() });
        }
        let registers = runner.executable().registers.len();
        let mut differing = Vec::new();
        for &row in base.rows_of_step(0) {
            for cell in CellId::first(cells) {
                let time = donor_time(&base.rows()[row], donor, cell);
                for register in (0..registers).map(RegisterId::new) {
                    let text = |run: &RecordedRun, time| {
                        let value = run.value(register, cell, time)?;
                        run.vocabulary().text(value).map(str::to_owned)
                    };
                    let (base_value, donor_value) = (text(base, Time::after(row)), text(donor, time));
                    if base_value != donor_value {
                        let value = donor_value.as_deref().map(|value| task.add_value(value));
                        differing.push(PatchPlace {
                            row: base.rows()[row].clone(),
                            cell,
                            register,
                            base: base_value,
                            donor: donor_value,
                            value,
                        });
                    }
                }
            }
        }
        Ok(Self { runner, task, places: base.rows_of_step(0).len() * cells * registers, differing })
    }

    /// The number of all places: rows of the prompt's pass, cells and registers.
    pub const fn places(&self) -> usize {
        self.places
    }

    /// The places with different values, in the order of the rows, then of the cells and registers. A patch at any
    /// other place changes nothing.
    pub fn differing(&self) -> &[PatchPlace] {
        &self.differing
    }

    /// Completes the prompt of the base run with the donor's values at these places.
    ///
    /// # Errors
    ///
    /// The reason why the run fails.
    pub fn patched<'p>(
        &self,
        places: impl IntoIterator<Item = &'p PatchPlace>,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Continuation, RunFailure> {
        let change = |place: &PatchPlace| Change {
            at: ChangeTime::After(place.row.layer),
            pass: Some(place.row.pass.clone()),
            cell: place.cell,
            register: place.register,
            value: place.value,
        };
        let changes: Vec<Change> = places.into_iter().map(change).collect();
        let mut task = self.task.clone();
        task.limits.cancelled = vec![Arc::clone(cancelled)];
        Ok(self.runner.complete_changed(&task, &changes, None)?.0)
    }
}

/// The time after a row in a cell of the donor: of the same layer, in its last passes if it took fewer.
fn donor_time(row: &Row, donor: &RecordedRun, cell: CellId) -> Time {
    let same = donor.find(row).filter(|row| donor.has_row(*row, cell));
    let found: Option<RowId> = same.or_else(|| donor.last_pass(row, cell));
    found.map_or(Time::START, Time::after)
}

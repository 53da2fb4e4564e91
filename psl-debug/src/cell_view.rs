//! The cells of a run as one moment sees them.

use psl_runtime::{
    CellId, ValueId, Vocabulary,
    record::{RecordedRun, RowId, Time},
};
use psl_syntax::program::RegisterId;

use super::{
    error::DebugError,
    step_place::StepPlace,
    timeline::{Moment, Timeline},
};

/// A cell as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedCell {
    /// `N`: the cell of the moment.
    Updated,
    /// `n`: the cell that N attends to at the layer.
    Source,
    /// A cell by its number.
    Fixed(CellId),
}

/// The cells of a run as one moment sees them: before its layer.
#[derive(Clone, Copy)]
pub(super) struct CellView<'r> {
    run: &'r RecordedRun,
    pub(super) moment: Moment,
    /// The row at which the step's cells are, or `None` at the end of the step.
    row: Option<RowId>,
    is_layer: bool,
    /// The pass of the innermost block.
    pub(super) pass: Option<usize>,
}

impl<'r> CellView<'r> {
    pub(super) fn at(run: &'r RecordedRun, moment: Moment) -> Self {
        let place = Timeline::new(run).place(moment);
        let pass = match &place {
            StepPlace::Layer(row) => row.pass.last(),
            StepPlace::Block { pass, .. } | StepPlace::Until { pass, .. } => pass.last(),
            StepPlace::Symbol | StepPlace::End => None,
        };
        let row = run.rows_of_step(moment.step).get(moment.index).copied();
        Self { run, moment, row, is_layer: matches!(place, StepPlace::Layer(_)), pass: pass.copied() }
    }

    /// The view at a moment that is known to be at the layer of a row.
    pub(super) fn at_layer(run: &'r RecordedRun, moment: Moment, row: RowId) -> Self {
        let pass = run.rows()[row].pass.last().copied();
        Self { run, moment, row: Some(row), is_layer: true, pass }
    }

    /// The values of the run.
    pub(super) fn vocabulary(&self) -> &'r Vocabulary {
        self.run.vocabulary()
    }

    /// The row, if the moment is at a layer.
    pub(super) fn layer_row(&self) -> Option<RowId> {
        self.row.filter(|_| self.is_layer)
    }

    /// A named cell. `None` for `n` if N attends to no cell.
    pub(super) fn cell(&self, cell: NamedCell) -> Option<CellId> {
        match cell {
            NamedCell::Updated => Some(self.moment.cell),
            NamedCell::Source => self.run.attends(self.layer_row()?, self.moment.cell),
            NamedCell::Fixed(cell) => Some(cell),
        }
    }

    /// The time of a cell as N sees it. `None` if it does not exist yet.
    pub(super) fn time(&self, cell: CellId) -> Option<Time> {
        let (own, of_cell) = (self.moment.step, self.run.step_of(cell));
        if cell.index() >= self.run.cells() || of_cell > own {
            return None;
        }
        match self.row {
            // All cells of a step run the same rows.
            Some(row) if of_cell == own => Some(Time::before(row)),
            Some(row) => self.run.read_time(row, self.moment.cell, cell),
            None => Some(self.run.end()),
        }
    }

    /// The value of a register of a cell. The outer `None`: the cell does not exist.
    #[expect(clippy::option_option, reason = "null is a value too")]
    pub(super) fn value(&self, register: RegisterId, cell: NamedCell) -> Option<Option<ValueId>> {
        let cell = self.cell(cell)?;
        Some(self.run.value(register, cell, self.time(cell)?))
    }

    /// The reason why a cell has no values.
    pub(super) fn missing(&self, cell: NamedCell) -> DebugError {
        let Moment { step, cell: updated, .. } = self.moment;
        match self.cell(cell) {
            None if self.is_layer => DebugError::AttendsToNoCell { cell: updated },
            None => DebugError::SourceOutsideLayer,
            Some(cell) => {
                let last = self.run.last_cell().min(self.run.last_cell_of_step(step));
                DebugError::CellToCome { cell, last }
            }
        }
    }
}

//! A run as its changes.

use std::ops::RangeInclusive;

use psl_runtime::{State, ValueId, Vocabulary};

use super::row::{Row, Rows};
use crate::runner::{Continuation, RunFailure};

/// A run as its changes.
#[derive(Debug)]
pub struct RecordedRun {
    pub(super) outcome: Result<Continuation, RunFailure>,
    pub(super) vocabulary: Vocabulary,
    pub(super) prompt_cells: usize,
    pub(super) rows: Rows,
    /// The rows of each forward step, in ascending order: of the prompt, then of each generated cell.
    pub(super) steps: Vec<Vec<usize>>,
    pub(super) cells: Vec<CellRecord>,
    pub(super) is_cut: bool,
}

/// The start of a cell and its changes.
#[derive(Debug, Default)]
pub(super) struct CellRecord {
    pub(super) start: State,
    /// The writes, by register and then by row.
    pub(super) writes: Vec<RegisterWrite>,
    /// The rows at which the cell attended to a cell, and that cell.
    pub(super) attends: Vec<(u32, u32)>,
    /// The changes that are not writes of a layer. A person makes them, so they are few.
    pub(super) changes: Vec<RegisterChange>,
}

/// An assignment of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterWrite {
    pub(super) register: u32,
    pub(super) row: u32,
    pub(super) value: ValueId,
}

/// A change of a register right before a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterChange {
    pub(super) register: usize,
    pub(super) row: usize,
    pub(super) value: Option<ValueId>,
}

/// The update of one cell at one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedUpdate {
    /// The cell that it attends to, or `None` if the layer does not fire.
    pub attends: Option<usize>,
    /// The assigned values that are not null, by register.
    pub set: Vec<(usize, ValueId)>,
}

impl RecordedRun {
    /// The continuation, or the reason why the run failed. A run that failed has the rows that ran before.
    pub fn outcome(&self) -> &Result<Continuation, RunFailure> {
        &self.outcome
    }

    /// Whether the record reached its limit before the end of the run.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The values of the run.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The number of cells of the prompt.
    pub fn prompt_cells(&self) -> usize {
        self.prompt_cells
    }

    /// The number of cells, of the prompt and generated.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The rows in program order.
    pub fn rows(&self) -> &[Row] {
        self.rows.as_slice()
    }

    /// The number of forward steps: the prompt's, then one per generated cell.
    pub(crate) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The rows of a forward step, in ascending order. All cells of a step run the same rows.
    pub(crate) fn rows_of_step(&self, step: usize) -> &[usize] {
        self.steps.get(step).map_or(&[], Vec::as_slice)
    }

    /// The forward step that computes a cell.
    pub(crate) fn step_of(&self, cell: usize) -> usize {
        cell.saturating_sub(self.prompt_cells)
    }

    /// The cells of a forward step.
    pub(crate) fn cells_of_step(&self, step: usize) -> RangeInclusive<usize> {
        if step == 0 { 1..=self.prompt_cells } else { self.prompt_cells + step..=self.prompt_cells + step }
    }

    /// The numbers of the repeat blocks around a layer, outermost first, each 1-based in the order in which they open.
    pub(crate) fn blocks_around(&self, layer: usize) -> &[usize] {
        self.rows.blocks_around(layer)
    }

    /// Whether a cell ran a row.
    pub fn has_row(&self, row: usize, cell: usize) -> bool {
        self.step_rows(cell).is_some_and(|rows| rows.binary_search(&row).is_ok())
    }

    /// The value of a register in a cell at a time, or `None` for null and for an unknown cell or register. A change right
    /// before row r is made at time r.
    pub fn value(&self, register: usize, cell: usize, time: usize) -> Option<ValueId> {
        let record = self.record(cell)?;
        if let Some(change) = record.last_change(register, time) {
            return change.value;
        }
        match record.writes_before(register, time).last() {
            Some(write) => Some(write.value),
            None => record.start.get(register).copied().flatten(),
        }
    }

    /// The row before which the value of a register in a cell at a time was changed, or `None` if a layer wrote it or the
    /// cell started with it.
    pub fn changed_before(&self, register: usize, cell: usize, time: usize) -> Option<usize> {
        Some(self.record(cell)?.last_change(register, time)?.row)
    }

    /// All registers of a cell at a time. Empty for an unknown cell.
    pub fn state(&self, cell: usize, time: usize) -> State {
        let registers = self.record(cell).map_or(0, |record| record.start.len());
        (0..registers).map(|register| self.value(register, cell, time)).collect()
    }

    /// The update of a cell at a row, or `None` if the cell lacks the row.
    pub fn update(&self, row: usize, cell: usize) -> Option<RecordedUpdate> {
        let record = self.record(cell).filter(|_| self.has_row(row, cell))?;
        let write = |register| Some((register, record.writes_before(register, row + 1).last()?));
        let set = (0..record.start.len()).filter_map(write).filter(|(_, write)| write.row as usize == row);
        Some(RecordedUpdate {
            attends: record.attends_at(row),
            set: set.map(|(register, write)| (register, write.value)).collect(),
        })
    }

    /// The cell that a cell attends to at a row, or `None` if the layer does not fire.
    pub(crate) fn attends(&self, row: usize, cell: usize) -> Option<usize> {
        self.record(cell)?.attends_at(row)
    }

    /// The updates of a cell with their rows, in order.
    pub(super) fn updates(&self, cell: usize) -> Vec<(usize, RecordedUpdate)> {
        let (Some(record), Some(rows)) = (self.record(cell), self.step_rows(cell)) else { return Vec::new() };
        let update = |&row: &usize| (row, RecordedUpdate { attends: record.attends_at(row), set: Vec::new() });
        let mut updates: Vec<_> = rows.iter().map(update).collect();
        for write in &record.writes {
            let place = rows.binary_search(&(write.row as usize)).ok();
            if let Some((_, update)) = place.and_then(|place| updates.get_mut(place)) {
                update.set.push((write.register as usize, write.value));
            }
        }
        updates
    }

    /// The time at which a cell reads another cell, or itself, at a row: before the row, or before its last pass through that
    /// layer if the other cell rests. `None` if the cell lacks the row or the other cell does not exist yet.
    pub fn read_time(&self, row: usize, cell: usize, source: usize) -> Option<usize> {
        let exists = self.has_row(row, cell) && (1..=cell.max(self.prompt_cells)).contains(&source);
        exists.then(|| self.time_read(row, source)).flatten()
    }

    /// The time at which other cells read a cell at a row.
    pub(super) fn time_read(&self, row: usize, source: usize) -> Option<usize> {
        if self.has_row(row, source) {
            return Some(row);
        }
        self.rows.last_pass(row, |row| self.has_row(row, source))
    }

    /// The rows that a cell ran, in ascending order.
    fn step_rows(&self, cell: usize) -> Option<&[usize]> {
        cell.checked_sub(1)?;
        self.steps.get(self.step_of(cell)).map(Vec::as_slice)
    }

    pub(super) fn record(&self, cell: usize) -> Option<&CellRecord> {
        self.cells.get(cell.checked_sub(1)?)
    }
}

impl CellRecord {
    /// The writes of a register in rows before `time`.
    pub(super) fn writes_before(&self, register: usize, time: usize) -> &[RegisterWrite] {
        let place =
            |row: usize| self.writes.partition_point(|it| (it.register as usize, it.row as usize) < (register, row));
        self.writes.get(place(0)..place(time)).unwrap_or_default()
    }

    /// The change of a register up to `time` that no layer has overwritten.
    fn last_change(&self, register: usize, time: usize) -> Option<&RegisterChange> {
        let until = self.changes.iter().filter(|change| change.register == register && change.row <= time);
        let last = until.max_by_key(|change| change.row)?;
        let written = self.writes_before(register, time).last().is_some_and(|write| write.row as usize >= last.row);
        (!written).then_some(last)
    }

    /// The cell that it attends to at a row.
    pub(super) fn attends_at(&self, row: usize) -> Option<usize> {
        let found = self.attends.binary_search_by_key(&row, |(row, _)| *row as usize).ok()?;
        self.attends.get(found).map(|(_, source)| *source as usize)
    }
}

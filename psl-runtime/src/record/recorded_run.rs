//! The rows of a run, the start of each cell and its changes.

use std::{cmp::Ordering, collections::BTreeSet, ops::Range};

use psl_syntax::{
    index::IndexVec,
    program::{CausalAttn, Production, ProductionId, RegisterId},
};

use super::{
    row::{Row, RowId, Rows, Time},
    stretches::{Stretch, Stretches},
    tracks::{Track, Tracks},
};
use crate::{
    cell_id::CellId,
    continuation::{Continuation, RunFailure},
    input::{State, held},
    vocabulary::{ValueId, Vocabulary},
};

/// The rows of a run, the start of each cell and its changes.
#[derive(Debug)]
pub struct RecordedRun {
    pub(super) outcome: Result<Continuation, RunFailure>,
    pub(super) vocabulary: Vocabulary,
    pub(super) prompt_cells: usize,
    /// The register that holds the result.
    pub(super) output: Option<RegisterId>,
    /// Whether the result is a row.
    pub(super) is_row: bool,
    /// The cells whose parse or eop the prompt sets, with that register.
    pub(super) given_roles: BTreeSet<(CellId, RegisterId)>,
    /// The layers that write nothing.
    pub(super) ablated: BTreeSet<ProductionId>,
    pub(super) rows: Rows,
    /// The rows of forward steps, in ascending order. Steps with equal rows share them.
    pub(super) step_rows: Vec<Vec<RowId>>,
    /// The index in `step_rows` of each forward step: of the prompt, then of each generated cell.
    pub(super) steps: Vec<usize>,
    pub(super) tracks: Tracks,
    pub(super) cells: IndexVec<CellId, CellRecord>,
    pub(super) is_cut: bool,
    /// The indices of the changes that the run did not reach.
    pub(super) unreached: Vec<usize>,
}

/// The start of a cell and its changes.
#[derive(Debug, Default)]
pub(super) struct CellRecord {
    pub(super) start: State,
    /// The writes of values that are not null, even if the register had the same value. The tracks are those of
    /// [`Tracks`].
    pub(super) writes: Stretches<ValueId>,
    /// The cells that the cell attends to. The track is the layer.
    pub(super) attends: Stretches<CellId>,
    /// The changes that are not writes of a layer. A person makes them, so they are few.
    pub(super) changes: Vec<RegisterChange>,
}

impl CellRecord {
    /// A cell that starts with a state.
    pub(super) fn new(start: &State) -> Self {
        Self { start: start.clone(), ..Self::default() }
    }
}

/// A change of a register at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterChange {
    pub(super) register: RegisterId,
    pub(super) time: Time,
    pub(super) value: Option<ValueId>,
}

/// The update of one cell at one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedUpdate {
    /// The cell that it attends to, or `None` if the layer does not fire.
    pub attends: Option<CellId>,
    /// The assigned values that are not null, by register.
    pub set: Vec<(RegisterId, ValueId)>,
}

impl RecordedRun {
    /// The usual limit of recorded values, about 100 MB. Each takes up to 28 bytes at the peak, including the spare
    /// capacity of lists.
    pub const MOST: usize = 3_500_000;

    /// The continuation, or the reason why the run failed. A run that failed has the rows that ran before.
    pub fn outcome(&self) -> &Result<Continuation, RunFailure> {
        &self.outcome
    }

    /// Whether the record reached its limit before the end of the run.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The indices of the changes that the run did not reach, and that did nothing.
    pub fn unreached(&self) -> &[usize] {
        &self.unreached
    }

    /// The values of the run.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Whether a layer writes nothing in this run.
    pub fn is_ablated(&self, layer: ProductionId) -> bool {
        self.ablated.contains(&layer)
    }

    /// The number of cells of the prompt.
    pub fn prompt_cells(&self) -> usize {
        self.prompt_cells
    }

    /// The register that holds the result: the next symbol in the last cell, or the row in the cells of the prompt.
    pub fn output(&self) -> Option<RegisterId> {
        self.output
    }

    /// Whether the result is a row, so that the run is the prompt pass alone.
    pub fn is_row(&self) -> bool {
        self.is_row
    }

    /// The number of cells, of the prompt and generated.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The last cell.
    pub fn last_cell(&self) -> CellId {
        CellId::new(self.cells().saturating_sub(1))
    }

    /// The rows in program order.
    pub fn rows(&self) -> &IndexVec<RowId, Row> {
        self.rows.all()
    }

    /// The time after the last row.
    pub fn end(&self) -> Time {
        Time::new(self.rows().len())
    }

    /// The index of a row.
    pub fn find(&self, row: &Row) -> Option<RowId> {
        self.rows.find(row)
    }

    /// The number of forward steps: the prompt's, then one per generated cell.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The rows of a forward step, in ascending order. All cells of a step run the same rows.
    pub fn rows_of_step(&self, step: usize) -> &[RowId] {
        self.steps.get(step).and_then(|&rows| self.step_rows.get(rows)).map_or(&[], Vec::as_slice)
    }

    /// The rows of a layer in all steps, in ascending order.
    pub fn rows_of_layer(&self, layer: ProductionId) -> impl Iterator<Item = RowId> {
        self.rows.of_layer(layer, Time::START..self.end())
    }

    /// The cell that generates or holds the symbol with an index in the result, which may be after the last one.
    pub fn cell_of_symbol(&self, index: usize) -> CellId {
        if self.is_row { CellId::new(index) } else { self.last_cell_of_step(index) }
    }

    /// The last cell of a forward step, which may be after the last one of the run.
    pub fn last_cell_of_step(&self, step: usize) -> CellId {
        CellId::new((self.prompt_cells + step).saturating_sub(1))
    }

    /// The forward step that computes a cell.
    pub fn step_of(&self, cell: CellId) -> usize {
        (cell.index() + 1).saturating_sub(self.prompt_cells)
    }

    /// The cells of a forward step.
    pub fn cells_of_step(&self, step: usize) -> Range<CellId> {
        let end = self.prompt_cells + step;
        CellId::new(if step == 0 { 0 } else { end - 1 })..CellId::new(end)
    }

    /// The number of cells that exist when a cell is computed.
    pub fn cells_up_to(&self, cell: CellId) -> usize {
        self.prompt_cells.max(cell.index() + 1)
    }

    /// The cells that a production lets a cell attend to. One without `n` compares N with itself.
    pub(super) fn visible(&self, production: &Production, cell: CellId) -> Range<CellId> {
        let (own, end) = (cell.index(), self.cells_up_to(cell));
        let visible = match production.causal_attn {
            _ if !production.binds_n() => own..own + 1,
            Some(CausalAttn::True) => 0..own + 1,
            Some(CausalAttn::Reverse) => own..end,
            Some(CausalAttn::False) | None => 0..end,
        };
        CellId::new(visible.start)..CellId::new(visible.end)
    }

    /// The cell whose registers a generated cell starts with. `None` for a cell of the prompt.
    pub fn copied(&self, cell: CellId) -> Option<CellId> {
        cell.before().filter(|_| cell.index() >= self.prompt_cells)
    }

    /// The order in which a cell runs two rows, of this run or of another one of the same layers.
    pub fn order(&self, left: &Row, right: &Row) -> Ordering {
        self.rows.order(left, right)
    }

    /// The numbers of the repeat blocks around a layer, outermost first, in the order in which they open, from 1.
    pub fn blocks_around(&self, layer: ProductionId) -> &[usize] {
        self.rows.blocks_around(layer)
    }

    /// Whether a cell ran a row.
    pub fn has_row(&self, row: RowId, cell: CellId) -> bool {
        self.rows_of_cell(cell).is_some_and(|rows| rows.binary_search(&row).is_ok())
    }

    /// The value of a register in a cell at a time, or `None` for null and for an unknown cell or register. A change
    /// right before row r, or right after the row before it, is made at time r.
    pub fn value(&self, register: RegisterId, cell: CellId, time: Time) -> Option<ValueId> {
        let record = self.record(cell)?;
        if let Some(change) = self.last_change(register, cell, time) {
            return change.value;
        }
        match self.written(register, cell, time) {
            Some((_, value)) => Some(value),
            None => held(&record.start, register),
        }
    }

    /// The time when the value of a register in a cell at a time was changed, or `None` if a layer wrote it or the cell
    /// started with it.
    pub fn changed_at(&self, register: RegisterId, cell: CellId, time: Time) -> Option<Time> {
        Some(self.last_change(register, cell, time)?.time)
    }

    /// The registers of a cell that were changed right before or after a row that it ran. The start of a generated cell
    /// counts to its first row.
    pub fn registers_changed_at(&self, row: RowId, cell: CellId) -> impl Iterator<Item = RegisterId> {
        let is_first = self.copied(cell).is_some() && self.rows_of_cell(cell).and_then(<[_]>::first) == Some(&row);
        let is_here = move |change: &&RegisterChange| match change.time {
            Time::START => is_first,
            time => Time::before(row) <= time && time <= Time::after(row),
        };
        let changes = self.record(cell).map_or(&[][..], |record| &record.changes);
        changes.iter().filter(is_here).map(|change| change.register)
    }

    /// The changes of a register of a cell that are not writes of a layer, in order.
    pub(super) fn changes_of(&self, register: RegisterId, cell: CellId) -> Vec<RegisterChange> {
        let changes = self.record(cell).map_or(&[][..], |record| &record.changes);
        let mut changes: Vec<_> = changes.iter().filter(|change| change.register == register).copied().collect();
        changes.sort_unstable_by_key(|change| change.time);
        changes
    }

    /// The change of a register up to a time that no layer has overwritten.
    fn last_change(&self, register: RegisterId, cell: CellId, time: Time) -> Option<RegisterChange> {
        let last = self.changes_of(register, cell).into_iter().rfind(|change| change.time <= time)?;
        let is_written = self.written(register, cell, time).is_some_and(|(row, _)| Time::before(row) >= last.time);
        (!is_written).then_some(last)
    }

    /// The row and the value of the last write of a register in a cell before a time.
    pub(super) fn written(&self, register: RegisterId, cell: CellId, time: Time) -> Option<(RowId, ValueId)> {
        let (record, rows) = (self.record(cell)?, self.rows_of_step(self.step_of(cell)));
        let last = |track: &Track| {
            let stretch = record.writes.last_before(track.number, time)?;
            let last = *stretch.rows().end();
            let row =
                if Time::after(last) <= time { last } else { self.rows.last_of_layer(track.layer, time, rows)? };
            Some((row, stretch.value))
        };
        self.tracks.of_register(register).iter().filter_map(last).max_by_key(|(row, _)| *row)
    }

    /// The rows and the values of all writes of a register in a cell, in order.
    pub(super) fn writes(&self, register: RegisterId, cell: CellId) -> Vec<(RowId, ValueId)> {
        let Some(record) = self.record(cell) else { return Vec::new() };
        let of_stretch = |layer: ProductionId, stretch: &Stretch<ValueId>| {
            let rows = self.rows.of_layer(layer, stretch.times()).filter(|&row| self.has_row(row, cell));
            let value = stretch.value;
            rows.map(move |row| (row, value))
        };
        let of_track = |track: &Track| {
            let stretches = record.writes.of_track(track.number).iter();
            stretches.flat_map(|stretch| of_stretch(track.layer, stretch)).collect::<Vec<_>>()
        };
        let mut writes: Vec<_> = self.tracks.of_register(register).iter().flat_map(of_track).collect();
        writes.sort_unstable_by_key(|(row, _)| *row);
        writes
    }

    /// The last row of a layer before a time that a cell ran.
    pub fn last_row(&self, layer: ProductionId, cell: CellId, time: Time) -> Option<RowId> {
        self.rows.last_of_layer(layer, time, self.rows_of_cell(cell)?)
    }

    /// All registers of a cell at its start. Empty for an unknown cell.
    pub fn start(&self, cell: CellId) -> &[Option<ValueId>] {
        self.record(cell).map_or(&[], |record| &record.start)
    }

    /// All registers of a cell at a time. Empty for an unknown cell.
    pub fn state(&self, cell: CellId, time: Time) -> State {
        (0..self.start(cell).len()).map(RegisterId::new).map(|register| self.value(register, cell, time)).collect()
    }

    /// The update of a cell at a row, or `None` if the cell lacks the row.
    pub fn update(&self, row: RowId, cell: CellId) -> Option<RecordedUpdate> {
        self.has_row(row, cell).then(|| self.update_at(row, cell)).flatten()
    }

    /// The update of a cell at a row that it ran.
    pub(super) fn update_at(&self, row: RowId, cell: CellId) -> Option<RecordedUpdate> {
        let (record, layer) = (self.record(cell)?, self.rows().find(row)?.layer);
        let Some(source) = record.attends.at(layer.index() as u32, row) else {
            return Some(RecordedUpdate { attends: None, set: Vec::new() });
        };
        let write = |(register, track)| Some((register, record.writes.at(track, row)?));
        let set = self.tracks.of_layer(layer).filter_map(write).collect();
        Some(RecordedUpdate { attends: Some(source), set })
    }

    /// The cell that a cell attends to at a row, or `None` if the layer does not fire.
    pub fn attends(&self, row: RowId, cell: CellId) -> Option<CellId> {
        let layer = self.rows().find(row).filter(|_| self.has_row(row, cell))?.layer;
        self.record(cell)?.attends.at(layer.index() as u32, row)
    }

    /// The time at which a cell reads another cell, or itself, at a row: before the row, or before its last pass
    /// through that layer if the other cell rests. `None` if the cell lacks the row or the other cell does not exist
    /// yet.
    pub fn read_time(&self, row: RowId, cell: CellId, source: CellId) -> Option<Time> {
        let exists = self.has_row(row, cell) && source.index() < self.cells_up_to(cell);
        exists.then(|| self.time_read(row, source)).flatten()
    }

    /// The time at which other cells read a cell at a row.
    pub(super) fn time_read(&self, row: RowId, source: CellId) -> Option<Time> {
        if self.has_row(row, source) {
            return Some(Time::before(row));
        }
        Some(Time::before(self.last_pass(self.rows().find(row)?, source)?))
    }

    /// The row of the same layer in the last passes that a cell took, up to those of a row. `None` if it never ran that
    /// layer.
    pub fn last_pass(&self, row: &Row, cell: CellId) -> Option<RowId> {
        self.rows.last_pass(row, |row| self.has_row(row, cell))
    }

    /// The rows that a cell ran, in ascending order. `None` for an unknown cell.
    pub fn rows_of_cell(&self, cell: CellId) -> Option<&[RowId]> {
        self.record(cell)?;
        Some(self.rows_of_step(self.step_of(cell)))
    }

    pub(super) fn record(&self, cell: CellId) -> Option<&CellRecord> {
        self.cells.find(cell)
    }
}

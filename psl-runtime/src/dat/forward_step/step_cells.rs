//! The cells of one forward step, which are updated together.

use super::rows::Rows;
use crate::dat::{
    index::Index,
    reading::{Assigned, Shifts},
    value::{NULL, Value},
};

/// The kind of a forward step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dat) enum StepKind {
    /// All cells of a prompt. There are no earlier cells.
    Prefill,
    /// A generated cell, which reads earlier cells from their caches.
    Decode,
}

/// The cells of the current step, and buffers for the layers.
pub(in crate::dat) struct ForwardStep<'m> {
    pub(super) shifts: &'m Shifts,
    pub(super) pinned: bool,
    /// The number of registers, at least 1.
    pub(in crate::dat) width: usize,
    /// The number of cells before the step.
    pub(in crate::dat) first: usize,
    /// The registers of the step's cells, cell after cell.
    pub(in crate::dat) states: Vec<Value>,
    /// The cells that attend to a cell in the current layer.
    pub(in crate::dat) matches: Vec<Match>,
    pub(super) values: Vec<Value>,
    /// The changes in this pass of a block and in the previous one.
    pub(in crate::dat) changes: Vec<Change>,
    /// The index of this pass's first change.
    pass_start: usize,
    /// The number of layer runs.
    time: u64,
    /// The time of the first layer.
    pub(in crate::dat) entered: u64,
    pub(super) query: Vec<Value>,
    pub(super) rows: Rows,
    pub(super) index: Index,
}

/// A change of a register.
#[derive(Clone, Copy)]
pub(in crate::dat) struct Change {
    /// The time of the layer that wrote it.
    pub(super) time: u64,
    /// The register's index in `states`.
    pub(in crate::dat) place: u32,
    /// The value before the change.
    old: Value,
}

/// A cell of the step, and the cell that it attends to.
pub(in crate::dat) struct Match {
    /// The cell, by its index in the step.
    pub(in crate::dat) cell: u32,
    /// The cell attended to, by its index from the first cell of the prompt.
    pub(in crate::dat) n: u32,
    pub(super) values: (u32, u32),
}

impl<'m> ForwardStep<'m> {
    pub(in crate::dat) fn new(shifts: &'m Shifts, width: usize, pinned: bool) -> Self {
        Self {
            shifts,
            pinned,
            width: width.max(1),
            first: 0,
            states: Vec::new(),
            matches: Vec::new(),
            values: Vec::new(),
            changes: Vec::new(),
            pass_start: 0,
            time: 0,
            entered: 0,
            query: Vec::new(),
            rows: Rows::default(),
            index: Index::default(),
        }
    }

    /// Starts a step with these cells.
    pub(in crate::dat) fn enter(&mut self, states: &[Value]) {
        self.states.clear();
        self.states.extend_from_slice(states);
        self.changes.clear();
        self.entered = self.time + 1;
        let cells = self.cells();
        self.matches.reserve(cells);
        for room in [&mut self.values, &mut self.rows.values] {
            room.reserve(8 * cells);
        }
    }

    pub(in crate::dat) fn kind(&self) -> StepKind {
        if self.first == 0 { StepKind::Prefill } else { StepKind::Decode }
    }

    pub(in crate::dat) fn cells(&self) -> usize {
        self.states.len() / self.width
    }

    /// Advances the time. Returns that of the next layer.
    pub(in crate::dat) fn tick(&mut self) -> u64 {
        self.time += 1;
        self.time
    }

    /// Drops the changes before the last pass.
    pub(in crate::dat) fn start_pass(&mut self) {
        let old = self.pass_start.min(self.changes.len());
        self.changes.drain(..old);
        self.pass_start = self.changes.len();
    }

    pub(in crate::dat) fn changes_of_pass(&self) -> &[Change] {
        self.changes.get(self.pass_start..).unwrap_or_default()
    }

    pub(in crate::dat) fn values_of(&self, found: &Match) -> &[Value] {
        self.values.get(found.values.0 as usize..found.values.1 as usize).unwrap_or_default()
    }

    /// Sets the values that the cells receive to null, for an ablated layer.
    pub(in crate::dat) fn attend_only(&mut self) {
        self.values.fill(NULL);
    }

    /// Sets the registers of the cells that attend to a cell. Null sets nothing. Lists the changes if the layer is in a
    /// block.
    pub(in crate::dat) fn write(&mut self, value: &[(usize, Assigned)], in_block: bool) {
        for Match { cell, values, .. } in &self.matches {
            let start = *cell as usize * self.width;
            let values = self.values.get(values.0 as usize..values.1 as usize).unwrap_or_default();
            for ((register, _), &value) in value.iter().zip(values) {
                let place = start + register;
                let Some(slot) = self.states.get_mut(place).filter(|slot| value != NULL && **slot != value) else {
                    continue;
                };
                if in_block {
                    self.changes.push(Change { time: self.time, place: place as u32, old: *slot });
                }
                *slot = value;
            }
        }
    }

    /// Whether every register has the value that it had before the pass, which its first change recorded.
    pub(in crate::dat) fn is_unchanged(&self) -> bool {
        let is_back = |change: &Change| self.states.get(change.place as usize) == Some(&change.old);
        if self.changes_of_pass().first().is_some_and(|change| !is_back(change)) {
            return false;
        }
        let mut first = self.changes_of_pass().to_vec();
        first.sort_by_key(|change| change.place);
        first.dedup_by_key(|change| change.place);
        first.iter().all(is_back)
    }
}

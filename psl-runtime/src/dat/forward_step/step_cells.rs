//! The cells of one forward step, which are updated side by side.

use super::rows::Rows;
use crate::dat::index::Index;
use crate::dat::reading::{Assigned, Shifts};
use crate::dat::value::{NULL, Value};

/// What a forward step brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dat) enum StepKind {
    /// All cells of a prompt, which no cell comes before.
    Prefill,
    /// A generated cell, which reads earlier ones in their caches.
    Decode,
}

/// The cells of the step that runs, and what layers need room for.
pub(in crate::dat) struct ForwardStep<'m> {
    pub(super) shifts: &'m Shifts,
    pub(super) pinned: bool,
    /// The number of registers, at least 1.
    pub(in crate::dat) width: usize,
    /// The number of cells before the step.
    pub(in crate::dat) first: usize,
    /// The registers of the step's cells, cell after cell.
    pub(in crate::dat) states: Vec<Value>,
    /// Which cells attend to one in the layer, and the values that they get.
    pub(in crate::dat) matches: Vec<Match>,
    pub(super) values: Vec<Value>,
    /// What changed in this pass of a block and the one before.
    pub(in crate::dat) changes: Vec<Change>,
    /// Where this pass starts among the changes.
    pass_start: usize,
    /// Counts the runs of layers.
    time: u64,
    /// The time of the first layer.
    pub(in crate::dat) entered: u64,
    pub(super) query: Vec<Value>,
    pub(super) rows: Rows,
    pub(super) index: Index,
}

/// A register that was written to.
#[derive(Clone, Copy)]
pub(in crate::dat) struct Change {
    /// The time of the layer that wrote it.
    pub(super) time: u64,
    /// The register's index in `states`.
    pub(in crate::dat) place: u32,
    /// What it held before.
    old: Value,
}

/// A cell of the step that attends to one.
pub(in crate::dat) struct Match {
    /// The cell, counting from the step's first.
    pub(in crate::dat) cell: u32,
    /// The other, counting from the prompt's first.
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

    /// Starts with other cells.
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

    /// The time of the layer that runs next.
    pub(in crate::dat) fn tick(&mut self) -> u64 {
        self.time += 1;
        self.time
    }

    /// Keeps what changed in the last pass only.
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

    /// Sets the registers of the cells that attend to one; null sets nothing. In a block, lists what changes.
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

    /// Whether every register is as it was before the pass: as the first change of each found it.
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

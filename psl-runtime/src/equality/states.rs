//! The states of a program's run, which those of a checkpoint are compared with.

use std::collections::BTreeSet;

use psl_syntax::program::{ProductionId, RegisterId};
use rustc_hash::FxHashSet;

use crate::{
    cell_id::CellId,
    input::State,
    record::{RecordedRun, Row, RowId, Time, last_write},
    vocabulary::Vocabulary,
};

/// The states of the cells after each layer that the program ran.
pub struct States {
    run: RecordedRun,
    /// The registers that a generated cell does not take from the cell before.
    dropped: Vec<RegisterId>,
    /// The rows and cells that were compared.
    compared: FxHashSet<(RowId, CellId)>,
}

/// The registers of a cell after a layer.
pub struct Expected {
    /// The values.
    pub state: State,
    /// The registers that may have any value: a generated cell has not set them, and reads nothing of those of the cell
    /// before.
    pub any: BTreeSet<RegisterId>,
}

impl States {
    /// Those of a recorded run.
    pub fn new(run: RecordedRun, dropped: Vec<RegisterId>) -> Self {
        Self { run, dropped, compared: FxHashSet::default() }
    }

    /// The values of the run.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.run.vocabulary()
    }

    /// The state of a cell after a layer, to be compared, or `None` if the program did not run it. In passes after the
    /// last one that the program ran, a cell is as in that pass.
    pub fn get(&mut self, layer: ProductionId, pass: &[usize], cell: CellId) -> Option<Expected> {
        let row = self.run.last_pass(&Row { layer, pass: pass.to_vec() }, cell)?;
        self.compared.insert((row, cell));
        let is_any = |register: &RegisterId| last_write(&self.run, *register, cell, Time::after(row)).is_none();
        let dropped = self.dropped.iter().filter(|_| self.run.copied(cell).is_some());
        let any = dropped.copied().filter(is_any).collect();
        Some(Expected { state: self.run.state(cell, Time::after(row)), any })
    }

    /// The first cell that was not compared at a row, and the row.
    pub fn missing(&self) -> Option<(CellId, &Row)> {
        let rows = self.run.rows();
        CellId::first(self.run.cells()).find_map(|cell| {
            let is_missing = |&row: &RowId| self.run.has_row(row, cell) && !self.compared.contains(&(row, cell));
            rows.ids().find(is_missing).map(|row| (cell, &rows[row]))
        })
    }
}

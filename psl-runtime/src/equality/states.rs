//! The states of a program's run, which those of a checkpoint are compared with.

use std::collections::BTreeSet;

use psl_syntax::program::RegisterId;
use rustc_hash::FxHashSet;

use crate::{
    input::State,
    record::{RecordedRun, Row, last_write},
    vocabulary::Vocabulary,
};

/// The states of the cells after each layer that the program ran.
pub struct States {
    run: RecordedRun,
    /// The registers that a generated cell does not take from the cell before.
    dropped: Vec<RegisterId>,
    /// The rows and cells that were compared.
    compared: FxHashSet<(usize, usize)>,
}

/// The registers of a cell after a layer.
pub struct Expected {
    /// The values.
    pub state: State,
    /// The registers that may have any value: a generated cell has not set them, and reads nothing of those of the cell before.
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

    /// The state of a cell after a layer, to be compared, or `None` if the program did not run it. In passes after the last one that
    /// the program ran, a cell is as in that pass.
    pub fn get(&mut self, layer: usize, pass: &[usize], cell: usize) -> Option<Expected> {
        let row = self.run.last_pass(&Row { layer, pass: pass.to_vec() }, cell)?;
        self.compared.insert((row, cell));
        let is_any = |register: &RegisterId| last_write(&self.run, *register, cell, row + 1).is_none();
        let dropped = self.dropped.iter().filter(|_| cell > self.run.prompt_cells());
        let any = dropped.copied().filter(is_any).collect();
        Some(Expected { state: self.run.state(cell, row + 1), any })
    }

    /// The first cell that was not compared at a row, and the row.
    pub fn missing(&self) -> Option<(usize, &Row)> {
        let rows = || self.run.rows().iter().enumerate();
        (1..=self.run.cells()).find_map(|cell| {
            let is_missing = |row| self.run.has_row(row, cell) && !self.compared.contains(&(row, cell));
            rows().find(|(row, _)| is_missing(*row)).map(|(_, row)| (cell, row))
        })
    }
}

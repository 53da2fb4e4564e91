//! The axes of arrays and pictures: the parts of a place that tell patches apart.

use psl_program::PatchKey;
use psl_runtime::{CellId, record::Row};
use psl_syntax::program::RegisterId;

use super::effects::Effects;

/// The values of a part, in order.
pub struct Axes {
    /// The layers, with their passes if these tell patches apart.
    pub rows: Vec<Row>,
    /// The cells of the base run.
    pub cells: Vec<CellId>,
    /// The registers.
    pub registers: Vec<RegisterId>,
}

impl Axes {
    /// The axes of effects, with all that was compared.
    pub fn of(effects: &Effects<'_>) -> Self {
        let Effects { runs, patching, by, .. } = effects;
        let pass = |row: &Row| if by.pass() { row.pass.clone() } else { Vec::new() };
        let mut rows: Vec<Row> = patching.rows().iter().map(|row| Row { layer: row.layer, pass: pass(row) }).collect();
        if !by.pass() {
            rows.sort_by_key(|row| row.layer);
            rows.dedup();
        }
        let registers = runs.source.runner().executable().registers.len();
        Self { rows, cells: patching.cells().to_vec(), registers: (0..registers).map(RegisterId::new).collect() }
    }

    /// The indices of a patch on the axes that tell patches apart.
    pub fn indices(&self, key: &PatchKey) -> [Option<usize>; 3] {
        let row = key.row().and_then(|row| self.rows.iter().position(|other| *other == row));
        let cell = key.cell.and_then(|cell| self.cells.binary_search(&cell).ok());
        let register = key.register.and_then(|register| self.registers.binary_search(&register).ok());
        [row, cell, register]
    }
}

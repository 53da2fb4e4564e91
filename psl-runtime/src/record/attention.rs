//! The attention of a layer as a matrix of cells.

use psl_syntax::Program;

use super::{
    matches::{Matches, matches_of_row},
    recorded_run::RecordedRun,
    row::RowId,
};
use crate::cell_id::CellId;

/// The attention of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAttention {
    /// The cell attended to, or `None` if the layer did not fire.
    pub attends: Option<CellId>,
    /// All cells that meet the conditions, ascending.
    pub matches: Vec<CellId>,
}

/// Returns the attention of every cell at a row. `None` for a cell that rests.
pub fn attention(program: &Program, run: &RecordedRun, row: RowId) -> Vec<Option<CellAttention>> {
    let matches = CellId::first(run.cells()).zip(matches_of_row(program, run, row));
    let of_cell = |(cell, matches): (CellId, Option<_>)| {
        let Matches { cells, .. } = matches?;
        Some(CellAttention { attends: run.update(row, cell)?.attends, matches: cells })
    };
    matches.map(of_cell).collect()
}

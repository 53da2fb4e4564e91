//! The attention of a layer as a matrix of cells.

use psl_syntax::Program;

use super::{
    matches::{Matches, matches_of_row},
    recorded_run::RecordedRun,
};

/// The attention of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAttention {
    /// The cell attended to, or `None` if the layer did not fire.
    pub attends: Option<usize>,
    /// All cells that meet the conditions, ascending.
    pub matches: Vec<usize>,
}

/// Returns the attention of every cell at a row. `None` for a cell that rests.
pub fn attention(program: &Program, run: &RecordedRun, row: usize) -> Vec<Option<CellAttention>> {
    let matches = (1..).zip(matches_of_row(program, run, row));
    let of_cell = |(cell, matches): (usize, Option<_>)| {
        let Matches { cells, .. } = matches?;
        Some(CellAttention { attends: run.update(row, cell)?.attends, matches: cells })
    };
    matches.map(of_cell).collect()
}

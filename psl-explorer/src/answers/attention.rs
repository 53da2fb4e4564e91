//! The attention of a layer as a matrix of cells.

use psl_runtime::{
    CellId,
    record::{CellAttention, RowId},
};
use serde::Serialize;

use crate::view::View;

/// The attention of a layer. Both lists have one entry per cell N.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Attention {
    row: usize,
    /// The cell attended to, 0 if the layer did not fire, or -1 if the cell rests.
    attends: Vec<isize>,
    /// All cells that match.
    matches: Vec<Vec<usize>>,
}

/// The attention of every cell at a row.
pub fn attention(view: View<'_>, row: RowId) -> Attention {
    let cell = |found: Option<CellAttention>| match found {
        None => (-1, Vec::new()),
        Some(CellAttention { attends, matches }) => {
            let attends = attends.map_or(0, |n| n.number().cast_signed());
            (attends, matches.into_iter().map(CellId::number).collect())
        }
    };
    let (attends, matches) =
        psl_runtime::record::attention(view.program(), view.run, row).into_iter().map(cell).unzip();
    Attention { row: row.index(), attends, matches }
}

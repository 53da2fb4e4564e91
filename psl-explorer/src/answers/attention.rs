//! The attention of a layer as a matrix of cells.

use psl_runtime::record::CellAttention;
use serde::Serialize;

use crate::{no_answer::NoAnswer, view::View};

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
///
/// # Errors
///
/// Fails if the row is unknown.
pub fn attention(view: View<'_>, row: usize) -> Result<Attention, NoAnswer> {
    view.row(row)?;
    let cell = |found: Option<CellAttention>| match found {
        None => (-1, Vec::new()),
        Some(CellAttention { attends, matches }) => (attends.unwrap_or(0).cast_signed(), matches),
    };
    let (attends, matches) =
        psl_runtime::record::attention(view.program(), view.run, row).into_iter().map(cell).unzip();
    Ok(Attention { row, attends, matches })
}

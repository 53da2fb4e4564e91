//! A part of the grid: some rows and cells, with some registers.

use psl_runtime::{
    CellId,
    record::{RowId, Time},
};
use psl_syntax::program::RegisterId;
use serde::Serialize;

use crate::{request::WholeTile, view::View};

/// The values of some registers in a part of the grid.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tile<'a> {
    /// A half-open range.
    rows: (usize, usize),
    /// A half-open range.
    cells: (usize, usize),
    registers: Vec<usize>,
    /// `values[row][cell][register]`, after the row. Null also if the cell does not exist.
    values: Vec<Vec<Vec<Option<&'a str>>>>,
    /// `changed[row][cell][register]`: whether the row changed the value.
    changed: Vec<Vec<Vec<bool>>>,
    /// `attends[row][cell]`: the cell attended to, 0 if the layer did not fire, or -1 if the cell rests.
    attends: Vec<Vec<isize>>,
}

/// Returns a tile of all rows and cells, or `None` if it has too many values.
pub fn whole<'a>(view: View<'a>, WholeTile { registers, most }: &WholeTile) -> Option<Tile<'a>> {
    let (rows, cells) = (view.run.rows().len(), view.run.cells());
    let values = rows.saturating_mul(cells).saturating_mul(registers.len());
    (values <= *most).then(|| tile(view, (0, rows), (1, cells + 1), registers))
}

/// Returns a tile, cut to the rows and cells of the run.
pub fn tile<'a>(view: View<'a>, rows: (usize, usize), cells: (usize, usize), registers: &[usize]) -> Tile<'a> {
    let run = view.run;
    let (rows, cells) = (view.rows_in(rows), view.cells_in(cells));
    let state = |cell, time| {
        let value = |&register: &usize| run.value(RegisterId::new(register), cell, time);
        registers.iter().map(value).collect::<Vec<_>>()
    };
    let mut before: Vec<_> = CellId::each(cells.clone()).map(|cell| state(cell, Time::new(rows.start))).collect();
    let (mut values, mut changed, mut attends) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows.clone().map(RowId::new) {
        let after: Vec<_> = CellId::each(cells.clone()).map(|cell| state(cell, Time::after(row))).collect();
        let of_cell = |(before, after): (&Vec<_>, &Vec<_>)| before.iter().zip(after).map(|(a, b)| a != b).collect();
        changed.push(before.iter().zip(&after).map(of_cell).collect());
        values.push(after.iter().map(|held| held.iter().map(|&value| view.value(value)).collect()).collect());
        let number = |attends: Option<CellId>| attends.map_or(0, |n| n.number().cast_signed());
        let attended = |cell| run.update(row, cell).map_or(-1, |update| number(update.attends));
        attends.push(CellId::each(cells.clone()).map(attended).collect());
        before = after;
    }
    Tile {
        rows: (rows.start, rows.end),
        cells: (cells.start.number(), cells.end.number()),
        registers: registers.to_vec(),
        values,
        changed,
        attends,
    }
}

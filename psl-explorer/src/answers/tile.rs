//! A part of the grid: some rows and cells, with some registers.

use serde::Serialize;

use crate::view::View;

/// The values of some registers in a part of the grid.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tile<'a> {
    /// A half-open range.
    rows: (usize, usize),
    /// A half-open range.
    cells: (usize, usize),
    /// `values[row][cell][register]`, after the row. Null also if the cell does not exist.
    values: Vec<Vec<Vec<Option<&'a str>>>>,
    /// `changed[row][cell][register]`: whether the row changed the value.
    changed: Vec<Vec<Vec<bool>>>,
    /// `attends[row][cell]`: the cell attended to, 0 if the layer did not fire, or -1 if the cell rests.
    attends: Vec<Vec<isize>>,
}

/// Returns a tile, cut to the rows and cells of the run.
pub fn tile<'a>(view: View<'a>, rows: (usize, usize), cells: (usize, usize), registers: &[usize]) -> Tile<'a> {
    let run = view.run;
    let (rows, cells) = (view.rows_in(rows), view.cells_in(cells));
    let values = |row| {
        let of_cell = |cell| registers.iter().map(|&register| view.value(run.value(register, cell, row + 1))).collect();
        cells.clone().map(of_cell).collect()
    };
    let changed = |row| {
        let of_cell = |cell| {
            let changes = |&register: &usize| run.value(register, cell, row) != run.value(register, cell, row + 1);
            registers.iter().map(changes).collect()
        };
        cells.clone().map(of_cell).collect()
    };
    let attends = |row| {
        let of_cell = |cell| run.update(row, cell).map_or(-1, |update| update.attends.unwrap_or(0).cast_signed());
        cells.clone().map(of_cell).collect()
    };
    Tile {
        rows: (rows.start, rows.end),
        cells: (cells.start, cells.end),
        values: rows.clone().map(values).collect(),
        changed: rows.clone().map(changed).collect(),
        attends: rows.map(attends).collect(),
    }
}

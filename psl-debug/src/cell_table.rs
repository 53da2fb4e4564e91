//! The cells at a moment as a table: a row for each cell, a column for each watched register.

use std::ops::RangeInclusive;

use psl_runtime::{CellId, record::Time};
use psl_syntax::program::RegisterId;

use super::debugged_run::Debugger;

/// Watched registers of many cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTable {
    /// The names of the registers: `symbol`, then the watched ones, or all registers if none is watched.
    pub registers: Vec<String>,
    /// The cells in order.
    pub cells: Vec<CellRow>,
    /// The cell that the current cell attends to at this layer.
    pub attends: Option<CellId>,
    /// The number of cells so far, shown or not.
    pub total: usize,
}

/// A cell of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRow {
    /// The cell.
    pub cell: CellId,
    /// The cell's values, in the order of the registers.
    pub values: Vec<CellValue>,
}

/// The value of a register of a cell as text. Null is `∅`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellValue {
    /// The value before the layer.
    pub value: String,
    /// The value after the layer, if the layer changes it.
    pub after: Option<String>,
}

/// Returns at most `most` cells around the current one.
pub fn cell_table(debugger: &Debugger, most: usize) -> CellTable {
    let (run, moment, timeline) = (debugger.run(), debugger.moment(), debugger.timeline());
    let program = debugger.file().program();
    let registers = shown_registers(debugger);
    let name = |register: &RegisterId| program.registers[*register].name.as_str().to_owned();
    let row = timeline.row(moment);
    let show = |value| run.vocabulary().show(value).to_owned();
    let value = |register: RegisterId, cell: CellId| {
        let before = run.value(register, cell, timeline.time_of(moment, cell));
        // Cells of earlier steps have run this row too.
        let updated = row.filter(|&row| run.step_of(cell) == moment.step && run.has_row(row, cell));
        let after = updated.map(|row| run.value(register, cell, Time::after(row))).filter(|after| *after != before);
        CellValue { value: show(before), after: after.map(show) }
    };
    let total = run.cells_of_step(moment.step).end.index().min(run.cells());
    let cell = |cell| CellRow { cell, values: registers.iter().map(|&register| value(register, cell)).collect() };
    CellTable {
        registers: registers.iter().map(name).collect(),
        cells: around(moment.cell.number(), most, total).filter_map(CellId::of_number).map(cell).collect(),
        attends: row.and_then(|row| run.attends(row, moment.cell)),
        total,
    }
}

fn shown_registers(debugger: &Debugger) -> Vec<RegisterId> {
    let program = debugger.file().program();
    let symbol = program.roles.symbol;
    let watched = if program.watch.is_empty() { program.register_ids().collect() } else { program.watch.clone() };
    symbol.into_iter().chain(watched.into_iter().filter(|register| Some(*register) != symbol)).collect()
}

/// The cells 1 to `total`, or `most` of them with `cell` in the middle if possible.
fn around(cell: usize, most: usize, total: usize) -> RangeInclusive<usize> {
    let last_start = (total + 1).saturating_sub(most).max(1);
    let start = cell.saturating_sub(most / 2).clamp(1, last_start);
    start..=total.min(start.saturating_add(most).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn the_cells_around_one_are_as_many_as_possible() {
        assert_eq!(around(1, 10, 4), 1..=4);
        assert_eq!(around(1, 4, 10), 1..=4);
        assert_eq!(around(6, 4, 10), 4..=7);
        assert_eq!(around(10, 4, 10), 7..=10);
    }
}

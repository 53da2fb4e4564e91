//! Registers as tables.

use psl_render::grid::{Grid, GridRow, Part, plain};
use psl_runtime::{CellId, ValueId, record::Time};
use psl_syntax::program::RegisterId;

use super::{
    here::{cell, runner},
    line::{Line, plain_lines},
};
use crate::debugged_run::Debugger;

/// The registers of the current cell before and after the layer, and of the cell that it attends to.
pub fn registers(debugger: &Debugger) -> Vec<Line> {
    let Some(runner) = runner(debugger) else { return Vec::new() };
    let (run, moment, timeline) = (debugger.run(), debugger.moment(), debugger.timeline());
    let (row, time) = (timeline.row(moment), timeline.time(moment));
    let attends = row.and_then(|row| run.update(row, moment.cell)).and_then(|update| update.attends);
    let source = attends.zip(row).and_then(|(source, row)| Some((source, run.read_time(row, moment.cell, source)?)));
    let mut names = vec![(Part::Symbol, cell(debugger, moment.cell))];
    if row.is_some() {
        names.push((Part::Symbol, "after".to_owned()));
    }
    names.extend(source.map(|(source, _)| (Part::Symbol, format!("n = {}", cell(debugger, source)))));
    let show = |value: Option<ValueId>| run.vocabulary().show(value).to_owned();
    let register = |(name, register): (&String, RegisterId)| {
        let before = run.value(register, moment.cell, time);
        let after = row.map(|row| run.value(register, moment.cell, Time::after(row)));
        let after = after.map(|after| (if after == before { Part::Value } else { Part::Changed }, show(after)));
        let of_source = source.map(|(source, time)| (Part::Value, show(run.value(register, source, time))));
        GridRow::of_parts(name, [Some((Part::Value, show(before))), after, of_source].into_iter().flatten())
    };
    let registers = runner.executable().registers.long.iter().zip(runner.executable().registers.ids()).map(register);
    let rows = [GridRow::of_parts("", names)].into_iter().chain(registers).collect();
    plain_lines(&Grid::new(rows, 0).wide().lines(0..3, &plain))
}

/// The watched registers of all cells at the current moment, or all registers if none is watched. Lines are at most
/// `width` columns wide, if possible.
pub fn table(debugger: &Debugger, width: Option<usize>) -> Vec<Line> {
    let Some(runner) = runner(debugger) else { return Vec::new() };
    let (run, moment, timeline) = (debugger.run(), debugger.moment(), debugger.timeline());
    let (row, time) = (timeline.row(moment), timeline.time(moment));
    let registers = &runner.executable().registers;
    let watched = runner.executable().qkvl().watch_list.iter().filter_map(|short| registers.by_short(short));
    let mut shown: Vec<RegisterId> = watched.collect();
    if shown.is_empty() {
        shown = registers.ids().collect();
    }
    let symbol = registers.roles.symbol;
    shown.retain(|register| Some(*register) != symbol);
    let cells = CellId::first((run.prompt_cells() + moment.step).min(run.cells()));
    let value = |register: RegisterId, cell: CellId| {
        let read = row.and_then(|row| run.read_time(row, moment.cell, cell)).unwrap_or(time);
        run.vocabulary().show(run.value(register, cell, read)).to_owned()
    };
    let of_register = |part: Part, register: RegisterId| {
        let name = registers.name(register);
        GridRow::new(name, part, cells.clone().map(|cell| value(register, cell)))
    };
    let number = |cell: CellId| if cell == moment.cell { format!(">{cell}") } else { cell.to_string() };
    let head = GridRow::new("cell", Part::Number, cells.clone().map(number));
    let symbols = symbol.map(|symbol| of_register(Part::Symbol, symbol));
    let values = shown.into_iter().map(|register| of_register(Part::Value, register));
    let grid = Grid::new([head].into_iter().chain(symbols).chain(values).collect(), run.prompt_cells());
    grid.chunks(width).into_iter().flat_map(|columns| plain_lines(&grid.lines(columns, &plain))).collect()
}

//! The first difference between two runs.

use psl_ide::code;
use psl_runtime::{
    CellId,
    record::{DifferenceKind, RowId, Time, UpdateDifference, first_difference},
    trace::place_in_words,
};
use psl_syntax::program::RegisterId;
use serde::Serialize;

use crate::view::View;

/// The first differences between two runs of a program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Difference<'a> {
    /// The first cell of the prompt whose start differs.
    start: Option<usize>,
    /// The first update that differs in the cell attended to or the values written.
    update: Option<DifferentUpdate<'a>>,
}

/// An update that differs. Null in a run that lacks it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DifferentUpdate<'a> {
    first: Option<UpdateCoordinates<'a>>,
    second: Option<UpdateCoordinates<'a>>,
    text: String,
}

/// The coordinates of an update in one of the runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct UpdateCoordinates<'a> {
    row: usize,
    cell: usize,
    layer: usize,
    pass: &'a [usize],
    /// The first register that is set to different values.
    register: Option<usize>,
    text: String,
}

pub fn difference<'a>(first: View<'a>, second: View<'a>) -> Difference<'a> {
    let found = first_difference(first.run, second.run);
    Difference {
        start: found.start.map(CellId::number),
        update: found.update.map(|update| describe(first, second, &update)),
    }
}

fn describe<'a>(first: View<'a>, second: View<'a>, found: &UpdateDifference) -> DifferentUpdate<'a> {
    let UpdateDifference { cell, rows: [of_first, of_second], kind } = *found;
    // The value that the layer writes, or that is set in its place. Null is a value, too.
    let set = |view: View<'a>, row: Option<RowId>, register: RegisterId| {
        let row = row?;
        if view.run.registers_changed_at(row, cell).any(|changed| changed == register) {
            return Some(view.value(view.run.value(register, cell, Time::after(row))));
        }
        let update = view.run.update(row, cell)?;
        let (_, value) = update.set.into_iter().find(|(written, _)| *written == register)?;
        Some(view.value(Some(value)))
    };
    let differs = |&register: &RegisterId| set(first, of_first, register) != set(second, of_second, register);
    let register = first.program().register_ids().find(differs).filter(|_| kind == DifferenceKind::Writes);
    let text = match kind {
        DifferenceKind::Missing if of_first.is_some() => "only the first run has this update".to_owned(),
        DifferenceKind::Missing => "only the second run has this update".to_owned(),
        DifferenceKind::Attends => {
            let attends = |view: View<'a>, row: Option<RowId>| {
                let attends = row.and_then(|row| view.run.update(row, cell)).and_then(|update| update.attends);
                attends.map_or_else(|| "no cell".to_owned(), |source| format!("cell {source}"))
            };
            let (first, second) = (attends(first, of_first), attends(second, of_second));
            format!("cell {cell} attends to {first} in the first run, and to {second} in the second")
        }
        DifferenceKind::Writes => {
            let name = register.map_or("?", |register| first.register(register));
            let value = |view, row| {
                let value = register.and_then(|register| set(view, row, register));
                value.map_or_else(|| "is not set".to_owned(), |value| format!("becomes {}", code(value.unwrap_or("∅"))))
            };
            let (first, second) = (value(first, of_first), value(second, of_second));
            format!("`{name}` of cell {cell} {first} in the first run, and {second} in the second")
        }
    };
    let coordinates = |view: View<'a>, row: Option<RowId>| {
        let row = row?;
        let psl_runtime::record::Row { layer, pass } = &view.run.rows()[row];
        let step = view.run.step_of(cell);
        let register = register.map(RegisterId::index);
        let text = place_in_words(step, *layer, pass, cell);
        let (row, cell, layer) = (row.index(), cell.number(), layer.number());
        Some(UpdateCoordinates { row, cell, layer, pass, register, text })
    };
    DifferentUpdate { first: coordinates(first, of_first), second: coordinates(second, of_second), text }
}

//! The first difference of two runs.

use std::cmp::Ordering;

use psl_syntax::program::RegisterId;

use super::{
    recorded_run::{RecordedRun, RecordedUpdate},
    row::{Row, RowId, Time},
};
use crate::cell_id::CellId;

/// The first differences between two runs of programs with the same layers and registers. Values are compared by their
/// texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The first cell of a prompt that starts differently, or that only one prompt has.
    pub start: Option<CellId>,
    /// The first update that differs.
    pub update: Option<UpdateDifference>,
}

/// An update that differs between two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateDifference {
    /// The cell.
    pub cell: CellId,
    /// The row in each run, or `None` if the cell lacks it there.
    pub rows: [Option<RowId>; 2],
    /// The kind of the difference.
    pub kind: DifferenceKind,
}

/// The kind of a difference between two updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// One of the runs lacks the update.
    Missing,
    /// The cell attends to different cells.
    Attends,
    /// The cell attends to the same cell and gets different values, from the layer or from a person.
    Writes,
}

/// The first differences between two runs, in the order of computation: by step, row and cell. Cells that only one
/// prompt has are left out, and so are generated cells after prompts of different lengths.
pub fn first_difference(left: &RecordedRun, right: &RecordedRun) -> Difference {
    let (short, long) = {
        let (left, right) = (left.prompt_cells(), right.prompt_cells());
        (left.min(right), left.max(right))
    };
    let starts_differ = |&cell: &CellId| start(left, cell) != start(right, cell);
    let start = CellId::first(short).find(starts_differ).or((short < long).then(|| CellId::new(short)));
    let of_cell = |cell| of_cell(left, right, cell);
    // Of equal rows, the minimum is the first: that of the leftmost cell.
    let of_prompt = CellId::first(short).filter_map(of_cell).min_by(|(one, _), (other, _)| left.rows.order(one, other));
    let generated = || CellId::first(left.cells().max(right.cells())).skip(long).find_map(of_cell);
    let update = of_prompt.or_else(|| (short == long).then(generated).flatten());
    Difference { start, update: update.map(|(_, update)| update) }
}

fn start(run: &RecordedRun, cell: CellId) -> Vec<Option<&str>> {
    run.state(cell, Time::START).into_iter().map(|value| value.and_then(|value| run.vocabulary().text(value))).collect()
}

/// The first update of a cell that differs, with its row.
fn of_cell<'a>(left: &'a RecordedRun, right: &'a RecordedRun, cell: CellId) -> Option<(&'a Row, UpdateDifference)> {
    let [of_left, of_right] = [left, right].map(|run| run.rows_of_cell(cell).unwrap_or_default());
    let is_changed = |ours: RowId, theirs: RowId| {
        let value = |run: &'a RecordedRun, register, row| {
            run.value(register, cell, Time::after(row)).and_then(|value| run.vocabulary().text(value))
        };
        let mut changed = left.registers_changed_at(ours, cell).chain(right.registers_changed_at(theirs, cell));
        changed.any(|register| value(left, register, ours) != value(right, register, theirs))
    };
    let difference = |index: usize| {
        let update = |run: &RecordedRun, rows: &[RowId]| {
            let row = *rows.get(index)?;
            Some((row, run.update_at(row, cell)?))
        };
        let (ours, theirs) = (update(left, of_left), update(right, of_right));
        let here = |run: &'a RecordedRun, update: &Option<(RowId, _)>| Some(&run.rows()[update.as_ref()?.0]);
        let places = (here(left, &ours), here(right, &theirs));
        let order = match places {
            (Some(ours), Some(theirs)) => left.rows.order(ours, theirs),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let (ours, theirs) = (ours.filter(|_| order.is_le()), theirs.filter(|_| order.is_ge()));
        let rows = [&ours, &theirs].map(|update| update.as_ref().map(|(row, _)| *row));
        let kind = match (&ours, &theirs) {
            (Some((_, ours)), Some((_, theirs))) if ours.attends != theirs.attends => DifferenceKind::Attends,
            (Some((_, ours)), Some((_, theirs))) if set(left, ours) != set(right, theirs) => DifferenceKind::Writes,
            (Some((ours, _)), Some((theirs, _))) if is_changed(*ours, *theirs) => DifferenceKind::Writes,
            (Some(_), Some(_)) => return None,
            _ => DifferenceKind::Missing,
        };
        let row = if order.is_le() { places.0 } else { places.1 };
        Some((row?, UpdateDifference { cell, rows, kind }))
    };
    (0..of_left.len().max(of_right.len())).find_map(difference)
}

fn set<'a>(run: &'a RecordedRun, update: &RecordedUpdate) -> Vec<(RegisterId, Option<&'a str>)> {
    update.set.iter().map(|&(register, value)| (register, run.vocabulary().text(value))).collect()
}

//! A recorded run as arrays.

use psl_runtime::{
    CellId, ValueId,
    record::{AllWrites, RecordedRun, RowId, Time},
};
use psl_syntax::program::RegisterId;
use pyo3::PyResult;
use rayon::prelude::*;

use super::array::{reserve, zeros};

/// Null as the index of a value.
const NULL: i32 = -1;

/// The number of values that a thread fills at a time: 4 MB.
const FILLED: usize = 1 << 20;

/// The changes of a run as columns. The passes have `depth` entries each.
#[derive(Default)]
pub struct Columns {
    pub row: Vec<i32>,
    pub layer: Vec<i32>,
    pub pass: Vec<i32>,
    pub cell: Vec<i32>,
    pub register: Vec<i32>,
    pub before: Vec<i32>,
    pub after: Vec<i32>,
    pub depth: usize,
}

/// The registers of all cells, which change from row to row.
#[derive(Clone)]
struct Cells<'w> {
    /// The registers of each cell in turn.
    values: Vec<i32>,
    registers: usize,
    writes: &'w AllWrites,
}

impl<'w> Cells<'w> {
    fn start(run: &RecordedRun, registers: usize, writes: &'w AllWrites) -> Self {
        let value = |held: Option<ValueId>| held.map_or(NULL, index);
        let values = CellId::first(run.cells()).flat_map(|cell| run.state(cell, Time::START)).map(value).collect();
        Self { values, registers, writes }
    }

    /// Applies the writes of a row. Visits those that change a register: its cell and index, the old value and the new
    /// one.
    fn apply(&mut self, row: RowId, mut visit: impl FnMut(CellId, RegisterId, i32, i32)) {
        for write in self.writes.of_row(row) {
            let after = index(write.value);
            let slot = write.cell.index() * self.registers + write.register.index();
            let Some(slot) = self.values.get_mut(slot) else { continue };
            let before = std::mem::replace(slot, after);
            if before != after {
                visit(write.cell, write.register, before, after);
            }
        }
    }
}

#[expect(clippy::cast_possible_wrap, reason = "a vocabulary has about a million values")]
fn index(value: ValueId) -> i32 {
    value.0 as i32
}

#[expect(clippy::cast_possible_wrap, reason = "a record has less than 2^31 values")]
fn number(number: usize) -> i32 {
    number as i32
}

/// The indices of the values of [rows + 1, cells, registers]. Threads of the current pool fill the rows, some for each.
///
/// # Errors
///
/// A `MemoryError`.
pub fn states(run: &RecordedRun, registers: usize) -> PyResult<Vec<i32>> {
    let writes = AllWrites::new(run);
    let mut cells = Cells::start(run, registers, &writes);
    let (rows, width) = (run.rows().len() + 1, cells.values.len());
    let mut states = zeros(rows * width)?;
    if width == 0 {
        return Ok(states);
    }
    let count = (FILLED / width).max(1);
    let mut parts = Vec::with_capacity(rows / count + 1);
    for (part, filled) in states.chunks_mut(count * width).enumerate() {
        let first = part * count;
        parts.push((first, cells.clone(), filled));
        (first..first + count).map(RowId::new).for_each(|row| cells.apply(row, |_, _, _, _| ()));
    }
    parts.into_par_iter().for_each(|(first, mut cells, filled)| {
        for (row, filled) in (first..).map(RowId::new).zip(filled.chunks_exact_mut(width)) {
            filled.copy_from_slice(&cells.values);
            cells.apply(row, |_, _, _, _| ());
        }
    });
    Ok(states)
}

/// Whether each cell ran each row: [rows + 1, cells]. Row 0 is the start.
///
/// # Errors
///
/// A `MemoryError`.
pub fn ran(run: &RecordedRun) -> PyResult<Vec<bool>> {
    let count = run.cells();
    let mut ran = zeros((run.rows().len() + 1) * count)?;
    for cell in CellId::first(count) {
        let rows = run.rows_of_cell(cell).unwrap_or_default().iter();
        for time in std::iter::once(Time::START).chain(rows.map(|row| Time::after(*row))) {
            if let Some(slot) = ran.get_mut(time.rows() * count + cell.index()) {
                *slot = true;
            }
        }
    }
    Ok(ran)
}

/// The cell that each cell attends to in each row, or -1: [rows + 1, cells]. Row 0 is the start.
///
/// # Errors
///
/// A `MemoryError`.
pub fn attends(run: &RecordedRun) -> PyResult<Vec<i32>> {
    let count = run.cells();
    let mut attends = zeros((run.rows().len() + 1) * count)?;
    attends.fill(-1);
    for row in run.rows().ids() {
        for cell in CellId::first(count) {
            let source = run.attends(row, cell).map(|source| number(source.index()));
            if let Some((slot, source)) = attends.get_mut(Time::after(row).rows() * count + cell.index()).zip(source) {
                *slot = source;
            }
        }
    }
    Ok(attends)
}

/// The changes in the order of the rows, then of the cells and registers.
///
/// # Errors
///
/// A `MemoryError`.
pub fn changes(run: &RecordedRun, registers: usize) -> PyResult<Columns> {
    let depth = run.rows().iter().map(|row| row.pass.len()).max().unwrap_or_default();
    let writes = AllWrites::new(run);
    let mut cells = Cells::start(run, registers, &writes);
    let (mut counted, mut count) = (cells.clone(), 0);
    run.rows().ids().for_each(|row| counted.apply(row, |_, _, _, _| count += 1));
    let mut columns = Columns { depth, ..Columns::default() };
    let Columns { row, layer, pass, cell, register, before, after, .. } = &mut columns;
    reserve(pass, count * depth)?;
    [row, layer, cell, register, before, after].into_iter().try_for_each(|column| reserve(column, count))?;
    for (id, row) in run.rows().ids().zip(run.rows()) {
        cells.apply(id, |cell, register, before, after| {
            columns.row.push(number(Time::after(id).rows()));
            columns.layer.push(number(row.layer.number()));
            columns.pass.extend(row.pass.iter().copied().chain(std::iter::repeat(0)).take(depth).map(number));
            columns.cell.push(number(cell.number()));
            columns.register.push(number(register.index()));
            columns.before.push(before);
            columns.after.push(after);
        });
    }
    Ok(columns)
}

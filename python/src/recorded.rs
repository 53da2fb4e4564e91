//! A recorded run as arrays.

use psl_record::{RecordedRun, RecordedUpdate};
use psl_runtime::ValueId;

/// Null as the index of a value.
const NULL: i32 = -1;

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

/// The states of the cells, which change from row to row.
struct Cells {
    /// The registers of each cell in turn.
    values: Vec<i32>,
    registers: usize,
}

impl Cells {
    fn start(run: &RecordedRun, registers: usize) -> Self {
        let value = |held: Option<ValueId>| held.map_or(NULL, index);
        let values = (1..=run.cells()).flat_map(|cell| run.state(cell, 0)).map(value).collect();
        Self { values, registers }
    }

    /// Sets a register. Returns its old value.
    fn set(&mut self, cell: usize, register: usize, value: i32) -> i32 {
        let slot = self.values.get_mut((cell - 1) * self.registers + register);
        slot.map_or(NULL, |slot| std::mem::replace(slot, value))
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

/// The updates of a row, with their cells.
fn updates(run: &RecordedRun, row: usize) -> impl Iterator<Item = (usize, RecordedUpdate)> {
    (1..=run.cells()).filter_map(move |cell| Some((cell, run.update(row, cell)?)))
}

/// The indices of the values of [rows + 1, cells, registers].
pub fn states(run: &RecordedRun, registers: usize) -> Vec<i32> {
    let mut cells = Cells::start(run, registers);
    let mut states = Vec::with_capacity((run.rows().len() + 1) * cells.values.len());
    states.extend_from_slice(&cells.values);
    for row in 0..run.rows().len() {
        for (cell, update) in updates(run, row) {
            for (register, value) in update.set {
                cells.set(cell, register, index(value));
            }
        }
        states.extend_from_slice(&cells.values);
    }
    states
}

/// Whether each cell ran each row: [rows + 1, cells]. Row 0 is the start.
pub fn ran(run: &RecordedRun) -> Vec<bool> {
    let start = std::iter::repeat_n(true, run.cells());
    start
        .chain((0..run.rows().len()).flat_map(|row| (1..=run.cells()).map(move |cell| run.has_row(row, cell))))
        .collect()
}

/// The changes in the order of the rows, then of the cells and registers.
pub fn changes(run: &RecordedRun, registers: usize) -> Columns {
    let depth = run.rows().iter().map(|row| row.pass.len()).max().unwrap_or_default();
    let mut cells = Cells::start(run, registers);
    let mut columns = Columns { depth, ..Columns::default() };
    for (index_of_row, row) in run.rows().iter().enumerate() {
        for (cell, update) in updates(run, index_of_row) {
            for (register, value) in update.set {
                let after = index(value);
                let before = cells.set(cell, register, after);
                if before == after {
                    continue;
                }
                columns.row.push(number(index_of_row + 1));
                columns.layer.push(number(row.layer));
                columns.pass.extend(row.pass.iter().copied().chain(std::iter::repeat(0)).take(depth).map(number));
                columns.cell.push(number(cell));
                columns.register.push(number(register));
                columns.before.push(before);
                columns.after.push(after);
            }
        }
    }
    columns
}

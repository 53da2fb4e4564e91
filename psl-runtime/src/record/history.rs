//! The writes of a register.

use crate::vocabulary::ValueId;

use super::recorded_run::RecordedRun;

/// A write by a layer, of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The row of the layer.
    pub row: usize,
    /// The value before.
    pub before: Option<ValueId>,
    /// The value written.
    pub value: ValueId,
    /// The cell that the cell attended to.
    pub attends: usize,
}

/// All writes of a register in a cell, in order.
pub fn history(run: &RecordedRun, register: usize, cell: usize) -> Vec<Write> {
    let writes = run.writes(register, cell).into_iter();
    writes.filter_map(|(row, value)| write(run, register, cell, row, value)).collect()
}

/// The last write of a register in a cell before a time.
pub fn last_write(run: &RecordedRun, register: usize, cell: usize, time: usize) -> Option<Write> {
    let (row, value) = run.written(register, cell, time)?;
    write(run, register, cell, row, value)
}

fn write(run: &RecordedRun, register: usize, cell: usize, row: usize, value: ValueId) -> Option<Write> {
    let before = run.value(register, cell, row);
    Some(Write { row, before, value, attends: run.attends(row, cell)? })
}

//! The writes of a register.

use psl_runtime::ValueId;

use super::run::{CellRecord, RecordedRun, RegisterWrite};

/// A write by a layer, of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The row.
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
    let Some(record) = run.record(cell) else { return Vec::new() };
    let writes = record.writes_before(register, run.rows().len()).iter();
    writes.filter_map(|write| record.write(run, cell, write)).collect()
}

/// The last write of a register in a cell before a time.
pub fn last_write(run: &RecordedRun, register: usize, cell: usize, time: usize) -> Option<Write> {
    let record = run.record(cell)?;
    record.write(run, cell, record.writes_before(register, time).last()?)
}

impl CellRecord {
    fn write(&self, run: &RecordedRun, cell: usize, write: &RegisterWrite) -> Option<Write> {
        let row = write.row as usize;
        let before = run.value(write.register as usize, cell, row);
        Some(Write { row, before, value: write.value, attends: self.attends_at(row)? })
    }
}

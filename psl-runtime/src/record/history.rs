//! The writes of a register.

use psl_syntax::program::RegisterId;

use super::{
    recorded_run::RecordedRun,
    row::{RowId, Time},
};
use crate::{cell_id::CellId, vocabulary::ValueId};

/// A write by a layer, of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The row of the layer.
    pub row: RowId,
    /// The value before.
    pub before: Option<ValueId>,
    /// The value written.
    pub value: ValueId,
    /// The cell that the cell attended to.
    pub attends: CellId,
}

impl Write {
    /// Whether the register had another value before.
    pub fn is_change(&self) -> bool {
        self.before != Some(self.value)
    }
}

/// All writes of a register in a cell, in order.
pub fn history(run: &RecordedRun, register: RegisterId, cell: CellId) -> Vec<Write> {
    let mut held = run.value(register, cell, Time::START);
    let mut changes = run.changes_of(register, cell).into_iter().peekable();
    let write = |(row, value)| {
        while let Some(change) = changes.next_if(|change| change.time <= Time::before(row)) {
            held = change.value;
        }
        Some(Write { row, before: held.replace(value), value, attends: run.attends(row, cell)? })
    };
    run.writes(register, cell).into_iter().filter_map(write).collect()
}

/// The last write of a register in a cell before a time.
pub fn last_write(run: &RecordedRun, register: RegisterId, cell: CellId, time: Time) -> Option<Write> {
    let (row, value) = run.written(register, cell, time)?;
    Some(Write { row, before: run.value(register, cell, Time::before(row)), value, attends: run.attends(row, cell)? })
}

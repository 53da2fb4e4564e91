//! All writes of a run, row by row.

use psl_syntax::{index::IndexVec, program::RegisterId};

use super::{recorded_run::RecordedRun, row::RowId};
use crate::{cell_id::CellId, vocabulary::ValueId};

/// A write of a layer, of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellWrite {
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The value written.
    pub value: ValueId,
}

/// The writes of all layers of a run. It lacks changes that a person made.
#[derive(Debug)]
pub struct AllWrites {
    /// In the order of the rows, then of the cells and registers.
    writes: Vec<CellWrite>,
    /// The end of each row in `writes`.
    ends: IndexVec<RowId, usize>,
}

impl AllWrites {
    /// Lists the writes of a run.
    pub fn new(run: &RecordedRun) -> Self {
        // First the place of each row, by the number of its writes, then the writes.
        let mut ends = IndexVec::from(vec![0; run.rows().len()]);
        each(run, |row, _| ends[row] += 1);
        let mut all = 0;
        for end in ends.as_mut_slice() {
            (*end, all) = (all, all + *end);
        }
        let none = CellWrite { cell: CellId::new(0), register: RegisterId::new(0), value: ValueId(0) };
        let mut writes = vec![none; all];
        each(run, |row, write| {
            let Some(slot) = writes.get_mut(ends[row]) else { unreachable!("the row has as many places as writes") };
            *slot = write;
            ends[row] += 1;
        });
        Self { writes, ends }
    }

    /// The writes of a row, in the order of the cells and registers.
    pub fn of_row(&self, row: RowId) -> &[CellWrite] {
        let start = self.ends.as_slice().get(..row.index()).and_then(<[usize]>::last).copied().unwrap_or_default();
        self.ends.find(row).and_then(|&end| self.writes.get(start..end)).unwrap_or_default()
    }
}

/// Visits the writes with their rows, in the order of the cells, then of the registers.
fn each(run: &RecordedRun, mut visit: impl FnMut(RowId, CellWrite)) {
    let ran: Vec<IndexVec<RowId, bool>> = run.step_rows.iter().map(|rows| flags(rows, run.rows().len())).collect();
    let registers = run.cells.iter().next().map_or(0, |cell| cell.start.len());
    for (cell, record) in run.cells.ids().zip(&run.cells) {
        let of_step = run.steps.get(run.step_of(cell)).and_then(|&rows| ran.get(rows));
        let Some(ran) = of_step else { continue };
        for register in (0..registers).map(RegisterId::new) {
            for track in run.tracks.of_register(register) {
                for stretch in record.writes.of_track(track.number) {
                    let rows = run.rows.of_layer(track.layer, stretch.times());
                    let write = CellWrite { cell, register, value: stretch.value };
                    rows.filter(|&row| ran[row]).for_each(|row| visit(row, write));
                }
            }
        }
    }
}

/// Whether each row is in a list.
fn flags(rows: &[RowId], count: usize) -> IndexVec<RowId, bool> {
    let mut flags = IndexVec::from(vec![false; count]);
    for &row in rows {
        flags[row] = true;
    }
    flags
}

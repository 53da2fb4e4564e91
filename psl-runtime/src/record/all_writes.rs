//! All writes of a run, row by row.

use psl_syntax::program::RegisterId;

use super::recorded_run::RecordedRun;
use crate::vocabulary::ValueId;

/// A write of a layer, of a value that is not null, even if the register had the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellWrite {
    /// The cell, 1-based.
    pub cell: u32,
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
    ends: Vec<usize>,
}

impl AllWrites {
    /// Lists the writes of a run.
    pub fn new(run: &RecordedRun) -> Self {
        // First the place of each row, by the number of its writes, then the writes.
        let mut ends = vec![0; run.rows().len()];
        each(run, |row, _| ends.get_mut(row).into_iter().for_each(|count| *count += 1));
        let mut all = 0;
        for end in &mut ends {
            (*end, all) = (all, all + *end);
        }
        let none = CellWrite { cell: 0, register: RegisterId(0), value: ValueId(0) };
        let mut writes = vec![none; all];
        each(run, |row, write| {
            let slot = ends.get_mut(row).and_then(|end| Some((writes.get_mut(*end)?, end)));
            let Some((slot, end)) = slot else { unreachable!("the row has as many places as writes") };
            *slot = write;
            *end += 1;
        });
        Self { writes, ends }
    }

    /// The writes of a row, in the order of the cells and registers.
    pub fn of_row(&self, row: usize) -> &[CellWrite] {
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.ends.get(row).and_then(|&end| self.writes.get(start..end)).unwrap_or_default()
    }
}

/// Visits the writes with their rows, in the order of the cells, then of the registers.
fn each(run: &RecordedRun, mut visit: impl FnMut(usize, CellWrite)) {
    let ran: Vec<Vec<bool>> = run.step_rows.iter().map(|rows| flags(rows, run.rows().len())).collect();
    let registers = run.cells.first().map_or(0, |cell| cell.start.len());
    for (number, record) in (1..).zip(&run.cells) {
        let of_step = run.steps.get(run.step_of(number as usize)).and_then(|&rows| ran.get(rows));
        let Some(ran) = of_step else { continue };
        for register in (0..registers).map(RegisterId::new) {
            for track in run.tracks.of_register(register) {
                for stretch in record.writes.of_track(track.number) {
                    let (start, end) = stretch.rows().into_inner();
                    let rows = run.rows.of_layer(track.layer, start..end + 1);
                    let write = CellWrite { cell: number, register, value: stretch.value };
                    rows.filter(|&row| ran.get(row) == Some(&true)).for_each(|row| visit(row, write));
                }
            }
        }
    }
}

/// Whether each number is in a list.
fn flags(numbers: &[usize], count: usize) -> Vec<bool> {
    let mut flags = vec![false; count];
    for &number in numbers {
        if let Some(flag) = flags.get_mut(number) {
            *flag = true;
        }
    }
    flags
}

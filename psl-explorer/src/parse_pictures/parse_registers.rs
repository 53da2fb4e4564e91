//! The registers that contain a parse.

use psl_runtime::record::{RecordedRun, history};
use psl_syntax::Program;

pub(super) struct ParseRegisters {
    pub(super) region: usize,
    pub(super) field: usize,
    pub(super) symbol: usize,
    pub(super) position: Option<usize>,
    index: Option<usize>,
}

impl ParseRegisters {
    pub(super) fn of(program: &Program) -> Option<Self> {
        let named = |name| program.registers.iter().position(|register| register.name == name);
        Some(Self {
            region: named("region")?,
            field: named("field")?,
            symbol: program.roles.symbol?.0 as usize,
            position: program.roles.position.map(|register| register.0 as usize),
            index: named("index"),
        })
    }

    /// The registers in the order of the rows of a table.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        [Some(self.region), Some(self.field), Some(self.symbol), self.position, self.index].into_iter().flatten()
    }

    /// The last time, up to `time`, at which a cell still has its own symbol.
    pub(super) fn shown_time(&self, run: &RecordedRun, cell: usize, time: usize) -> usize {
        if cell < run.prompt_cells() {
            return time;
        }
        history(run, self.symbol, cell).first().map_or(time, |write| time.min(write.row))
    }
}

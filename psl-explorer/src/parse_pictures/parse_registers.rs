//! The registers that contain a parse.

use psl_runtime::{
    CellId,
    record::{RecordedRun, Time, history},
};
use psl_syntax::{Program, program::RegisterId};

pub(super) struct ParseRegisters {
    pub(super) region: RegisterId,
    pub(super) field: RegisterId,
    pub(super) symbol: RegisterId,
    pub(super) position: Option<RegisterId>,
    index: Option<RegisterId>,
}

impl ParseRegisters {
    pub(super) fn of(program: &Program) -> Option<Self> {
        let named = |name| program.registers.iter().position(|register| register.name == name).map(RegisterId::new);
        Some(Self {
            region: named("region")?,
            field: named("field")?,
            symbol: program.roles.symbol?,
            position: program.roles.position,
            index: named("index"),
        })
    }

    /// The registers in the order of the rows of a table.
    pub(super) fn rows(&self) -> impl Iterator<Item = RegisterId> {
        [Some(self.region), Some(self.field), Some(self.symbol), self.position, self.index].into_iter().flatten()
    }

    /// The last time, up to `time`, at which a cell still has its own symbol.
    pub(super) fn shown_time(&self, run: &RecordedRun, cell: CellId, time: Time) -> Time {
        if cell.number() < run.prompt_cells() {
            return time;
        }
        history(run, self.symbol, cell).first().map_or(time, |write| time.min(Time::before(write.row)))
    }
}

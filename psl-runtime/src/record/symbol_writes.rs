//! The last write of each symbol of a continuation.

use psl_syntax::program::RegisterId;

use super::{history::last_write, recorded_run::RecordedRun};
use crate::{
    executable::Executable,
    input::{Task, held},
    trace::Update,
    vocabulary::ValueId,
};

/// The output of the cell that generates a symbol, after the last layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolWrite {
    /// The cell, 1-based.
    pub cell: usize,
    /// The symbol.
    pub value: Option<ValueId>,
    /// The layer that wrote it, even if the value stayed the same, and the cell attended to, both 1-based. `None` if the cell
    /// started with it.
    pub by: Option<(usize, usize)>,
}

impl SymbolWrite {
    /// That of a symbol of a continuation, 1-based. `None` if the run did not generate it.
    pub fn of(run: &RecordedRun, output: RegisterId, number: usize) -> Option<Self> {
        let (cell, end) = (run.prompt_cells() + number.checked_sub(1)?, run.rows().len());
        let write = last_write(run, output, cell, end);
        let by = write.and_then(|write| Some((run.rows().get(write.row)?.layer, write.attends)));
        (cell <= run.cells()).then(|| Self { cell, value: run.value(output, cell, end), by })
    }
}

/// The last writes of all symbols of a continuation, read from a run without a record.
pub struct SymbolWrites {
    output: Option<RegisterId>,
    prompt_cells: usize,
    /// Entry i is symbol i + 1.
    symbols: Vec<SymbolWrite>,
}

impl SymbolWrites {
    /// Those of a task's run before its first update.
    pub fn new(executable: &Executable, task: &Task) -> Self {
        let output = executable.registers.roles.output;
        let prompt_cells = task.input.cells.len();
        let value = task.input.cells.last().and_then(|cell| held(cell, output?));
        Self { output, prompt_cells, symbols: vec![SymbolWrite { cell: prompt_cells, value, by: None }] }
    }

    /// Reads an update. The last cell of each step generates its symbol.
    pub fn read(&mut self, update: &Update) {
        let Some(output) = self.output.filter(|_| update.cell == self.prompt_cells + update.step) else { return };
        let started = SymbolWrite { cell: update.cell, ..SymbolWrite::default() };
        self.symbols.resize(self.symbols.len().max(update.step + 1), started);
        let Some(symbol) = self.symbols.get_mut(update.step) else { unreachable!("the step has just got its place") };
        symbol.value = held(&update.state, output);
        if let Some(attends) = update.attends.filter(|_| update.set.iter().any(|(register, _)| *register == output)) {
            symbol.by = Some((update.layer, attends));
        }
    }

    /// That of a symbol of the continuation, 1-based. `None` if the run did not generate it.
    pub fn of(&self, number: usize) -> Option<SymbolWrite> {
        self.output?;
        self.symbols.get(number.checked_sub(1)?).copied()
    }
}

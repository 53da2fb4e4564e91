//! The last write of each symbol of a continuation.

use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};

use super::{history::last_write, recorded_run::RecordedRun};
use crate::{
    cell_id::CellId,
    continuation::SymbolId,
    executable::Executable,
    input::{Task, held},
    trace::Update,
    vocabulary::ValueId,
};

/// The output of the cell that generates a symbol, after the last layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolWrite {
    /// The cell.
    pub cell: CellId,
    /// The symbol.
    pub value: Option<ValueId>,
    /// The layer that wrote it, even if the value stayed the same, and the cell attended to. `None` if the cell started
    /// with it.
    pub by: Option<(ProductionId, CellId)>,
}

impl SymbolWrite {
    /// That of a symbol of a continuation. `None` if the run did not generate it.
    pub fn of(run: &RecordedRun, output: RegisterId, symbol: SymbolId) -> Option<Self> {
        let (cell, end) = (run.cell_of_symbol(symbol.index()), run.end());
        let by = last_write(run, output, cell, end).map(|write| (run.rows()[write.row].layer, write.attends));
        (cell.index() < run.cells()).then(|| Self { cell, value: run.value(output, cell, end), by })
    }
}

/// The last writes of all symbols of a continuation, read from a run without a record.
pub struct SymbolWrites {
    output: Option<RegisterId>,
    prompt_cells: usize,
    symbols: IndexVec<SymbolId, SymbolWrite>,
}

impl SymbolWrites {
    /// Those of a task's run before its first update.
    pub fn new(executable: &Executable, task: &Task) -> Self {
        let output = executable.registers.roles.output;
        let prompt_cells = task.input.cells.len();
        let value = task.input.cells.last().and_then(|cell| held(cell, output?));
        Self {
            output,
            prompt_cells,
            symbols: vec![SymbolWrite { cell: CellId::new(prompt_cells.saturating_sub(1)), value, by: None }].into(),
        }
    }

    /// Reads an update. The last cell of each step generates its symbol.
    pub fn read(&mut self, update: &Update) {
        let Some(output) = self.output.filter(|_| update.cell.number() == self.prompt_cells + update.step) else {
            return;
        };
        let started = SymbolWrite { cell: update.cell, ..SymbolWrite::default() };
        self.symbols.resize_with(self.symbols.len().max(update.step + 1), || started);
        let symbol = &mut self.symbols[SymbolId::new(update.step)];
        symbol.value = held(&update.state, output);
        if let Some(attends) = update.attends.filter(|_| update.set.iter().any(|(register, _)| *register == output)) {
            symbol.by = Some((update.layer, attends));
        }
    }

    /// That of the symbol of the continuation. `None` if the run did not generate it.
    pub fn of(&self, symbol: SymbolId) -> Option<SymbolWrite> {
        self.output?;
        self.symbols.find(symbol).copied()
    }
}

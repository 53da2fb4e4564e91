//! The last write of each symbol of a continuation or row.

use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};

use super::{history::last_write, recorded_run::RecordedRun};
use crate::{
    cell_id::CellId,
    continuation::SymbolId,
    executable::Executable,
    input::{State, Task, held},
    trace::Update,
    vocabulary::ValueId,
};

/// The output of the cell that generates or holds a symbol, after the last layer.
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
    /// That of a symbol of the result. `None` if the run does not have it.
    pub fn of(run: &RecordedRun, symbol: SymbolId) -> Option<Self> {
        let output = run.output()?;
        let (cell, end) = (run.cell_of_symbol(symbol.index()), run.end());
        let by = last_write(run, output, cell, end).map(|write| (run.rows()[write.row].layer, write.attends));
        (cell.index() < run.cells()).then(|| Self { cell, value: run.value(output, cell, end), by })
    }
}

/// The last writes of all symbols of a continuation or row, read from a run without a record.
pub struct SymbolWrites {
    output: Option<RegisterId>,
    prompt_cells: usize,
    /// Whether each cell of the prompt has a symbol.
    is_row: bool,
    symbols: IndexVec<SymbolId, SymbolWrite>,
}

impl SymbolWrites {
    /// Those of a task's run before its first update.
    pub fn new(executable: &Executable, task: &Task) -> Self {
        let output = task.output(&executable.registers);
        let prompt_cells = task.input.cells.len();
        let is_row = task.answer.is_some();
        let start = |(state, cell): (&State, CellId)| {
            let value = output.and_then(|output| held(state, output));
            SymbolWrite { cell, value, by: None }
        };
        let cells = task.input.cells.iter().zip(CellId::first(prompt_cells));
        let symbols = cells.skip(if is_row { 0 } else { prompt_cells.saturating_sub(1) }).map(start);
        Self { output, prompt_cells, is_row, symbols: symbols.collect::<Vec<_>>().into() }
    }

    /// Reads an update. The last cell of each step generates its symbol, or each cell has one of the row.
    pub fn read(&mut self, update: &Update) {
        let is_last = update.cell.number() == self.prompt_cells + update.step;
        let Some(output) = self.output.filter(|_| self.is_row || is_last) else { return };
        let index = if self.is_row { update.cell.index() } else { update.step };
        let started = SymbolWrite { cell: update.cell, ..SymbolWrite::default() };
        self.symbols.resize_with(self.symbols.len().max(index + 1), || started);
        let symbol = &mut self.symbols[SymbolId::new(index)];
        symbol.value = held(&update.state, output);
        if let Some(attends) = update.attends.filter(|_| update.set.iter().any(|(register, _)| *register == output)) {
            symbol.by = Some((update.layer, attends));
        }
    }

    /// That of the symbol of the result. `None` if the run does not have it.
    pub fn of(&self, symbol: SymbolId) -> Option<SymbolWrite> {
        self.output?;
        self.symbols.find(symbol).copied()
    }
}

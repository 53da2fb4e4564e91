//! The layers with which a cell generates the next symbol, and the entries that they read and write.

use std::collections::BTreeSet;

use psl_runtime::{
    CellId,
    record::{RecordedRun, RowId, Time, last_write},
};
use psl_syntax::{
    Program,
    index::IndexVec,
    plain_label,
    program::{Cell, CellRegister, Condition, Production, ProductionId, RegisterId},
};

use super::parse_registers::ParseRegisters;

/// The generation of a symbol: the layer that writes it, and the layers of the same cell that copied from other cells
/// what it reads.
///
/// A register that is not in the table, such as a copy from the left, stands for the entry that it copies.
pub(super) struct Generation<'a> {
    run: &'a RecordedRun,
    productions: IndexVec<ProductionId, &'a Production>,
    registers: &'a ParseRegisters,
    output: RegisterId,
    /// N.
    pub(super) cell: CellId,
    /// n of the layer that writes the symbol.
    pub(super) source: CellId,
    rows: BTreeSet<RowId>,
    /// Register and cell of each entry read.
    pub(super) read: BTreeSet<(RegisterId, CellId)>,
    pub(super) written: BTreeSet<RegisterId>,
}

impl<'a> Generation<'a> {
    /// The generation of a symbol in a cell, or `None` if no layer writes the output there.
    pub(super) fn new(
        program: &'a Program,
        registers: &'a ParseRegisters,
        run: &'a RecordedRun,
        cell: CellId,
    ) -> Option<Self> {
        let output = program.roles.output?;
        let last = last_write(run, output, cell, run.end()).filter(|_| cell.number() >= run.prompt_cells())?;
        let mut generation = Self {
            run,
            productions: program.productions(),
            registers,
            output,
            cell,
            source: last.attends,
            rows: BTreeSet::new(),
            read: BTreeSet::new(),
            written: BTreeSet::new(),
        };
        generation.follow(last.row);
        Some(generation)
    }

    fn production(&self, row: RowId) -> &'a Production {
        self.productions[self.layer(row)]
    }

    fn layer(&self, row: RowId) -> ProductionId {
        self.run.rows()[row].layer
    }

    /// Adds a row of the cell, and the rows that it depends on.
    fn follow(&mut self, row: RowId) {
        if !self.rows.insert(row) {
            return;
        }
        let (production, Some(update)) = (self.production(row), self.run.update(row, self.cell)) else { return };
        self.written.extend(update.set.iter().map(|(register, _)| *register));
        let tested = production.conditions.iter().flat_map(Condition::registers);
        let copied = production.assignments.iter().filter_map(|assignment| assignment.source.register());
        for CellRegister { register, cell } in tested.chain(copied) {
            let from = if cell == Cell::Updated { Some(self.cell) } else { update.attends };
            let time = from.and_then(|from| self.run.read_time(row, self.cell, from));
            if let Some((from, time)) = from.zip(time) {
                self.read(register, from, time);
            }
        }
    }

    /// Adds an entry, or the one that it copies.
    fn read(&mut self, register: RegisterId, cell: CellId, time: Time) {
        let is_shown = |register| self.registers.rows().any(|shown| shown == register);
        if is_shown(register) {
            self.read.insert((register, cell));
            return;
        }
        let Some(write) = last_write(self.run, register, cell, time).filter(|write| write.attends != cell) else {
            return;
        };
        let assignments = self.production(write.row).assignments.iter();
        let mut written = assignments.filter(|assignment| assignment.target == register);
        match written.next().and_then(|assignment| assignment.source.register()) {
            Some(CellRegister { cell: Cell::Source, .. }) if cell == self.cell => self.follow(write.row),
            Some(CellRegister { cell: Cell::Source, register }) if is_shown(register) => {
                self.read.insert((register, write.attends));
            }
            _ => {}
        }
    }

    pub(super) fn layers(&self) -> Vec<ProductionId> {
        self.rows.iter().map(|row| self.layer(*row)).collect()
    }

    /// The label of each layer, or its number.
    pub(super) fn labels(&self) -> Vec<String> {
        let label = |row: RowId| {
            let label = self.production(row).label.as_deref().map(plain_label);
            label.filter(|label| !label.is_empty()).map_or_else(|| format!("layer {}", self.layer(row)), str::to_owned)
        };
        self.rows.iter().map(|row| label(*row)).collect()
    }

    pub(super) fn symbol(&self) -> &'a str {
        self.run.vocabulary().show(self.run.value(self.output, self.cell, self.run.end()))
    }
}

//! The conditions of a production at one row, for a cell N and the cells n that it can attend to.

use std::{collections::HashMap, ops::Range, rc::Rc};

use psl_syntax::{
    Program,
    index::IndexVec,
    program::{Cell, CellRegister, Condition, Production, RegisterId},
};

use super::{recorded_run::RecordedRun, row::RowId};
use crate::{
    cell_id::CellId,
    psm::{ConditionResult, Tester},
    vocabulary::ValueId,
};

/// A cell N at a row that it ran, with the row's production.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    run: &'a RecordedRun,
    pub(super) production: &'a Production,
    tester: Rc<Tester<'a>>,
    row: RowId,
    pub(super) cell: CellId,
    columns: Option<Rc<Columns>>,
}

/// The values of every cell n that the row reads, by register. They are the same for each N.
type Columns = HashMap<RegisterId, IndexVec<CellId, Option<ValueId>>>;

impl<'a> Reader<'a> {
    /// `None` if the cell lacks the row or the program lacks the layer.
    pub(super) fn new(program: &'a Program, run: &'a RecordedRun, row: RowId, cell: CellId) -> Option<Self> {
        let layer = run.rows().find(row).filter(|_| run.has_row(row, cell))?.layer;
        let mut sound = program.productions().into_iter().filter(|production| production.sound);
        let production = sound.nth(layer.index())?;
        let tester = Rc::new(Tester::new(program, run.vocabulary()));
        Some(Self { run, production, tester, row, cell, columns: None })
    }

    /// The readers of all cells, or `None` for those that lack the row. They read every cell n once.
    pub(super) fn of_row(program: &'a Program, run: &'a RecordedRun, row: RowId) -> Vec<Option<Self>> {
        let cells = CellId::first(run.cells());
        let Some(first) = cells.clone().find_map(|cell| Self::new(program, run, row, cell)) else {
            return cells.map(|_| None).collect();
        };
        let registers = first.production.conditions.iter().flat_map(Condition::registers);
        let column = |read: CellRegister| {
            let held = |cell| run.value(read.register, cell, run.time_read(row, cell)?);
            (read.register, cells.clone().map(held).collect())
        };
        let columns = Rc::new(registers.filter(|read| read.cell == Cell::Source).map(column).collect());
        let of_cell =
            |cell| run.has_row(row, cell).then(|| Self { cell, columns: Some(Rc::clone(&columns)), ..first.clone() });
        cells.clone().map(of_cell).collect()
    }

    /// The cells that N can attend to.
    pub(super) fn visible(&self) -> Range<CellId> {
        self.run.visible(self.production, self.cell)
    }

    /// The result of a condition for a cell n, or `None` if that cell does not exist at this row.
    pub(super) fn test(&self, condition: &Condition, source: CellId) -> Option<ConditionResult> {
        self.tester.test(condition, |register| self.read(register, source))
    }

    /// Whether a condition holds for a cell n, or `None` if that cell does not exist at this row.
    pub(super) fn holds(&self, condition: &Condition, source: CellId) -> Option<bool> {
        self.tester.holds(condition, |register| self.read(register, source))
    }

    /// The value of a register of n or N, as the layer reads it. The outer `None`: the cell does not exist.
    #[expect(clippy::option_option, reason = "a cell that exists may have null")]
    fn read(&self, read: CellRegister, source: CellId) -> Option<Option<ValueId>> {
        let cell = match read.cell {
            Cell::Source => source,
            Cell::Updated => self.cell,
        };
        if let Some(columns) = self.columns.as_ref().filter(|_| read.cell == Cell::Source) {
            return columns.get(&read.register)?.find(cell).copied();
        }
        let time = self.run.read_time(self.row, self.cell, cell)?;
        Some(self.run.value(read.register, cell, time))
    }
}

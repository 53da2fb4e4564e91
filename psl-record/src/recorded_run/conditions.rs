//! The conditions of a production at one row, for a cell N and the cells n that it can attend to.

use std::{collections::HashMap, ops::RangeInclusive, rc::Rc};

use psl_runtime::ValueId;
use psl_syntax::{
    Program, Span,
    program::{
        CausalAttn, Cell, Comparison, Condition, Constant, ConstantId, Function, Operand, Place, Production, RegisterId,
    },
};

use super::run::RecordedRun;

/// A condition, the values that it compares, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionResult {
    /// The condition.
    pub span: Span,
    /// The value on the left.
    pub left: Option<ValueId>,
    /// The value or values on the right.
    pub right: Right,
    /// Whether it holds.
    pub holds: bool,
}

/// The right side of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// A constant's value, or the value of a register.
    Value(Option<ValueId>),
    /// The value of a register, and the result of the function applied to it.
    Moved {
        /// The value of the register.
        from: Option<ValueId>,
        /// The result of the function.
        to: Option<ValueId>,
    },
    /// The values of a list of constants.
    List(Vec<ValueId>),
}

/// Tests conditions in a run.
#[derive(Clone)]
pub(crate) struct Tester<'a> {
    run: &'a RecordedRun,
    /// The values of the program's constants.
    constants: Rc<[Option<ValueId>]>,
}

/// A cell N at a row that it ran, with the row's production.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    run: &'a RecordedRun,
    pub(super) production: &'a Production,
    tester: Tester<'a>,
    row: usize,
    pub(super) cell: usize,
    columns: Option<Rc<Columns>>,
}

/// The values of every cell n that the row reads, by register. They are the same for each N.
type Columns = HashMap<RegisterId, Vec<Option<ValueId>>>;

impl<'a> Tester<'a> {
    pub(crate) fn new(program: &Program, run: &'a RecordedRun) -> Self {
        let value = |constant: &Constant| run.vocabulary().get(&constant.value);
        Self { run, constants: program.constants.iter().map(value).collect() }
    }

    /// The result of a condition. `read` returns the value of a register, or `None` if its cell does not exist: then there is no
    /// result.
    pub(crate) fn test(
        &self,
        condition: &Condition,
        read: impl Fn(Place) -> Option<Option<ValueId>>,
    ) -> Option<ConditionResult> {
        let left = read(condition.left)?;
        let right = match &condition.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => self.operand(*operand, read)?,
            Comparison::In(list) | Comparison::NotIn(list) => {
                Right::List(list.iter().filter_map(|&id| self.constant(id)).collect())
            }
        };
        let equal = match &right {
            Right::Value(value) | Right::Moved { to: value, .. } => *value == left,
            Right::List(values) => left.is_some_and(|left| values.contains(&left)),
        };
        let positive = matches!(condition.comparison, Comparison::Is(_) | Comparison::In(_));
        // No condition holds for a null on the left. On the right, it differs from every value.
        let holds = left.is_some() && equal == positive;
        Some(ConditionResult { span: condition.span, left, right, holds })
    }

    fn operand(&self, operand: Operand, read: impl Fn(Place) -> Option<Option<ValueId>>) -> Option<Right> {
        Some(match operand {
            Operand::Constant(id) => Right::Value(self.constant(id)),
            Operand::Register(place, None) => Right::Value(read(place)?),
            Operand::Register(place, Some(function)) => {
                let from = read(place)?;
                Right::Moved { from, to: from.and_then(|from| self.run.moved(from, function)) }
            }
        })
    }

    fn constant(&self, id: ConstantId) -> Option<ValueId> {
        self.constants.get(id.0 as usize).copied().flatten()
    }
}

impl<'a> Reader<'a> {
    /// `None` if the cell lacks the row or the program lacks the layer.
    pub(super) fn new(program: &'a Program, run: &'a RecordedRun, row: usize, cell: usize) -> Option<Self> {
        let layer = run.rows().get(row).filter(|_| run.has_row(row, cell))?.layer;
        let mut sound = program.productions().into_iter().filter(|production| production.sound);
        let production = sound.nth(layer.checked_sub(1)?)?;
        Some(Self { run, production, tester: Tester::new(program, run), row, cell, columns: None })
    }

    /// The same for all cells that ran the row, which read every cell n once.
    pub(super) fn of_row(program: &'a Program, run: &'a RecordedRun, row: usize) -> Vec<Option<Self>> {
        let cells = 1..=run.cells();
        let Some(first) = cells.clone().find_map(|cell| Self::new(program, run, row, cell)) else {
            return cells.map(|_| None).collect();
        };
        let places = first.production.conditions.iter().flat_map(Condition::places);
        let column = |place: Place| {
            let held = |cell| run.value(place.register.0 as usize, cell, run.time_read(row, cell)?);
            (place.register, cells.clone().map(held).collect())
        };
        let columns = Rc::new(places.filter(|place| place.cell == Cell::Source).map(column).collect());
        let of_cell =
            |cell| run.has_row(row, cell).then(|| Self { cell, columns: Some(Rc::clone(&columns)), ..first.clone() });
        cells.clone().map(of_cell).collect()
    }

    /// The cells that N can attend to. A production without `n` compares N with itself.
    pub(super) fn visible(&self) -> RangeInclusive<usize> {
        let last = self.cell.max(self.run.prompt_cells());
        if !self.production.binds_n() {
            return self.cell..=self.cell;
        }
        match self.production.causal_attn {
            Some(CausalAttn::True) => 1..=self.cell,
            Some(CausalAttn::Reverse) => self.cell..=last,
            Some(CausalAttn::False) | None => 1..=last,
        }
    }

    /// The result of a condition for a cell n, or `None` if that cell does not exist at this row.
    pub(super) fn test(&self, condition: &Condition, source: usize) -> Option<ConditionResult> {
        self.tester.test(condition, |place| self.read(place, source))
    }

    /// The value of a register of n or N, as the layer reads it. The outer `None`: the cell does not exist.
    #[expect(clippy::option_option, reason = "a cell that exists may have null")]
    fn read(&self, place: Place, source: usize) -> Option<Option<ValueId>> {
        let cell = match place.cell {
            Cell::Source => source,
            Cell::Updated => self.cell,
        };
        if let Some(columns) = self.columns.as_ref().filter(|_| place.cell == Cell::Source) {
            return columns.get(&place.register)?.get(cell.checked_sub(1)?).copied();
        }
        let time = self.run.read_time(self.row, self.cell, cell)?;
        Some(self.run.value(place.register.0 as usize, cell, time))
    }
}

impl RecordedRun {
    /// The position after or before a position of the run.
    fn moved(&self, value: ValueId, function: Function) -> Option<ValueId> {
        let positions = self.vocabulary.positions();
        let position: usize = self.vocabulary.text(value)?.parse().ok()?;
        // `+7` and `007` are numbers, but not positions.
        positions.get(position).filter(|&&canonical| canonical == value)?;
        let moved = match function {
            Function::PosIncrement => position.checked_add(1),
            Function::PosDecrement => position.checked_sub(1),
        };
        positions.get(moved?).copied()
    }
}

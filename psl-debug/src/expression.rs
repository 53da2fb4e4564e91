//! Expressions: a register of a cell, a number of the moment, or a condition, at a moment.

use psl_program::File;
use psl_runtime::{
    CellId, Tester,
    record::{RecordedRun, Time},
};
use psl_syntax::{
    Program,
    program::{Comparison, Operand, RegisterId},
    token::{Kind, tokenize},
};

use super::{
    cell_view::{CellView, NamedCell},
    condition::{Clause, Counter, DebugCondition},
    error::DebugError,
    timeline::Moment,
    unknown_values::note,
};

/// An expression, read once and evaluated at many moments.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Register(RegisterOfCell),
    /// `cell`, `step` or `pass`.
    Counter(Counter),
    Condition(DebugCondition),
}

/// A register of a cell, such as `field[N]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegisterOfCell {
    pub(super) register: RegisterId,
    pub(super) cell: NamedCell,
}

/// The value of an expression at a moment, before the layer: of `field[N]`, `field[n]` or `field[5]` the value that N
/// sees, of `cell`, `step` and `pass` the number, and of a condition `true` or `false` with both sides' values, such as
/// `false: A == B`, and with a note about values that the run does not have.
///
/// # Errors
///
/// Fails if the expression cannot be read, or a cell does not exist at the moment.
pub fn evaluate(file: &File, run: &RecordedRun, moment: Moment, text: &str) -> Result<String, DebugError> {
    let tester = Tester::new(file.program(), run.vocabulary());
    let expression = Expression::parse(file, text)?;
    let value = expression.evaluate(run, &tester, &CellView::at(run, moment))?;
    let note = note(run, expression.values());
    Ok(note.map_or_else(|| value.clone(), |note| format!("{value} ({note})")))
}

impl Expression {
    pub(super) fn parse(file: &File, text: &str) -> Result<Self, DebugError> {
        if let Some(counter) = Counter::from_name(text.trim()) {
            return Ok(Self::Counter(counter));
        }
        let compares = |kind| matches!(kind, Kind::Equal | Kind::NotEqual | Kind::Assign | Kind::In | Kind::Not);
        if tokenize(text).code.iter().any(|token| compares(token.kind)) {
            return DebugCondition::parse(file, text).map(Self::Condition);
        }
        RegisterOfCell::parse(file, text).map(Self::Register)
    }

    /// The values that it compares with.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let condition = match self {
            Self::Condition(condition) => Some(condition),
            Self::Register(_) | Self::Counter(_) => None,
        };
        condition.into_iter().flat_map(DebugCondition::values)
    }

    pub(super) fn evaluate(
        &self,
        run: &RecordedRun,
        tester: &Tester<'_>,
        cell_view: &CellView<'_>,
    ) -> Result<String, DebugError> {
        match self {
            Self::Register(RegisterOfCell { register, cell }) => {
                let value = cell_view.value(*register, *cell).ok_or_else(|| cell_view.missing(*cell))?;
                Ok(run.vocabulary().show(value).to_owned())
            }
            Self::Counter(counter) => Ok(counter.value(cell_view).ok_or(DebugError::NoPass)?.to_string()),
            Self::Condition(condition) => {
                let results = condition.results(run, tester, cell_view)?;
                let holds = results.iter().all(|result| result.holds);
                let values: Vec<String> = results.into_iter().map(|result| result.values).collect();
                Ok(format!("{holds}: {}", values.join(" and ")))
            }
        }
    }
}

impl RegisterOfCell {
    pub(super) fn parse(file: &File, text: &str) -> Result<Self, DebugError> {
        let expected = || DebugError::NotRegisterOfCell { example: example(file.program()).to_owned() };
        let code = tokenize(text).code;
        if code.len() != 4 || code.get(1).is_none_or(|token| token.kind != Kind::OpenBracket) {
            return Err(expected());
        }
        // The language reads a register only in a condition.
        let condition = DebugCondition::parse(file, &format!("{text} == {text}"))?;
        let [Clause::Compare { condition, left: cell, .. }] = condition.clauses.as_slice() else {
            return Err(expected());
        };
        match condition.comparison {
            Comparison::Is(Operand::Register(place, None)) => Ok(Self { register: place.register, cell: *cell }),
            _ => Err(expected()),
        }
    }

    /// The cell and its time as N sees it.
    pub(super) fn cell_and_time(&self, cell_view: &CellView<'_>) -> Result<(CellId, Time), DebugError> {
        let found = cell_view.cell(self.cell).and_then(|cell| Some((cell, cell_view.time(cell)?)));
        found.ok_or_else(|| cell_view.missing(self.cell))
    }
}

fn example(program: &Program) -> &str {
    program.registers.iter().next().map_or("symbol", |register| &register.name)
}

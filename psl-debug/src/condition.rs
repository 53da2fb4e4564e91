//! Conditions of breakpoints, and their results at a moment.

use std::slice;

use psl_runtime::{ConditionResult, Right, Tester, ValueId, record::RecordedRun};
use psl_syntax::{
    Program,
    program::{Cell, CellRegister, Comparison, Condition, RegisterId},
};

use super::{
    cell_view::{CellView, NamedCell},
    error::DebugError,
    timeline::Moment,
};

/// A condition of a breakpoint or an expression: conditions of the language on any cells, and on the cell, the step and
/// the pass, joined by `and`.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugCondition {
    pub(super) clauses: Vec<Clause>,
}

/// One of the conditions that must all hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Clause {
    /// `cell == 7`.
    Count {
        /// The number on the left.
        counter: Counter,
        /// `==`, not `!=`.
        equal: bool,
        /// The number on the right.
        number: usize,
    },
    /// `symbol[N] == three`, or `symbol[N] in [A, B]`.
    Values {
        register: RegisterId,
        cell: NamedCell,
        /// `==` or `in`, not `!=` or `not in`.
        equal: bool,
        values: Listed,
    },
    /// `mark[N] == ∅`: whether a register has no value.
    Null {
        register: RegisterId,
        cell: NamedCell,
        /// `==`, not `!=`.
        equal: bool,
    },
    /// A comparison of two registers. Its left side reads `N` and its right side `n`; the fields name the real cells.
    Compare {
        condition: Condition,
        /// The cell of the left side.
        left: NamedCell,
        /// The cell of the right side.
        right: NamedCell,
    },
}

/// The values on the right of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Listed {
    One(String),
    /// A list in brackets.
    List(Vec<String>),
}

impl Listed {
    pub(super) fn as_slice(&self) -> &[String] {
        match self {
            Self::One(value) => slice::from_ref(value),
            Self::List(values) => values,
        }
    }
}

/// A number of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    Cell,
    /// The forward step.
    Step,
    /// The pass of the innermost repeat block.
    Pass,
}

pub(super) struct ClauseResult {
    pub(super) holds: bool,
    /// Both sides' values, such as `A == B`.
    pub(super) values: String,
}

impl DebugCondition {
    /// Whether the condition holds at a moment. It does not if it names a cell that does not exist, or names `n` and N
    /// attends to no cell.
    pub fn holds(&self, program: &Program, run: &RecordedRun, moment: Moment) -> bool {
        self.holds_at(&Tester::new(program, run.vocabulary()), &CellView::at(run, moment))
    }

    pub(super) fn holds_at(&self, tester: &Tester<'_>, cell_view: &CellView<'_>) -> bool {
        self.clauses.iter().all(|clause| match clause {
            Clause::Count { counter, equal, number } => counts(*counter, *equal, *number, cell_view),
            Clause::Values { register, cell, equal, values } => {
                cell_view.value(*register, *cell).is_some_and(|left| is_met(cell_view, left, *equal, values))
            }
            Clause::Null { register, cell, equal } => {
                cell_view.value(*register, *cell).is_some_and(|value| value.is_none() == *equal)
            }
            Clause::Compare { condition, left, right } => {
                compared(condition, *left, *right, tester, cell_view).is_some_and(|result| result.holds)
            }
        })
    }

    /// The values that the condition compares with.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let lists = self.clauses.iter().filter_map(|clause| match clause {
            Clause::Values { values, .. } => Some(values.as_slice()),
            Clause::Count { .. } | Clause::Null { .. } | Clause::Compare { .. } => None,
        });
        lists.flatten().map(String::as_str)
    }

    /// The result of each clause.
    ///
    /// # Errors
    ///
    /// The reason why a cell has no values.
    pub(super) fn results(
        &self,
        run: &RecordedRun,
        tester: &Tester<'_>,
        cell_view: &CellView<'_>,
    ) -> Result<Vec<ClauseResult>, DebugError> {
        let result = |clause: &Clause| match clause {
            Clause::Count { counter, equal, number } => {
                let operator = if *equal { "==" } else { "!=" };
                let counted = counter.value(cell_view).map_or("∅".to_owned(), |value| value.to_string());
                let values = format!("{counted} {operator} {number}");
                Ok(ClauseResult { holds: counts(*counter, *equal, *number, cell_view), values })
            }
            Clause::Values { register, cell, equal, values } => {
                let left = cell_view.value(*register, *cell).ok_or_else(|| cell_view.missing(*cell))?;
                let right = match (values, *equal) {
                    (Listed::One(value), true) => format!("== {value}"),
                    (Listed::One(value), false) => format!("!= {value}"),
                    (Listed::List(values), true) => format!("in [{}]", values.join(", ")),
                    (Listed::List(values), false) => format!("not in [{}]", values.join(", ")),
                };
                let shown = format!("{} {right}", run.vocabulary().show(left));
                Ok(ClauseResult { holds: is_met(cell_view, left, *equal, values), values: shown })
            }
            Clause::Null { register, cell, equal } => {
                let left = cell_view.value(*register, *cell).ok_or_else(|| cell_view.missing(*cell))?;
                let operator = if *equal { "==" } else { "!=" };
                let values = format!("{} {operator} ∅", run.vocabulary().show(left));
                Ok(ClauseResult { holds: left.is_none() == *equal, values })
            }
            Clause::Compare { condition, left, right } => {
                let result = compared(condition, *left, *right, tester, cell_view).ok_or_else(|| {
                    let exists =
                        |cell: &NamedCell| cell_view.cell(*cell).and_then(|cell| cell_view.time(cell)).is_some();
                    cell_view.missing([*left, *right].into_iter().find(|cell| !exists(cell)).unwrap_or(*left))
                })?;
                Ok(ClauseResult { holds: result.holds, values: values(run, condition, &result) })
            }
        };
        self.clauses.iter().map(result).collect()
    }
}

impl Counter {
    /// The counter with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "cell" => Some(Self::Cell),
            "step" => Some(Self::Step),
            "pass" => Some(Self::Pass),
            _ => None,
        }
    }

    /// The number. `None` for the pass outside of repeat blocks.
    pub(super) fn value(self, cell_view: &CellView<'_>) -> Option<usize> {
        match self {
            Self::Cell => Some(cell_view.moment.cell.number()),
            Self::Step => Some(cell_view.moment.step),
            Self::Pass => cell_view.pass,
        }
    }
}

/// Both sides' values of a condition, such as `A == B`.
pub(super) fn values(run: &RecordedRun, condition: &Condition, result: &ConditionResult) -> String {
    let show = |value| run.vocabulary().show(value);
    let operator = match condition.comparison {
        Comparison::Is(_) => "==",
        Comparison::IsNot(_) => "!=",
        Comparison::In(_) => "in",
        Comparison::NotIn(_) => "not in",
    };
    let right = match &result.right {
        Right::Value(value) | Right::Moved { to: value, .. } => show(*value).to_owned(),
        Right::List(values) => {
            let values: Vec<&str> = values.iter().map(|&value| show(Some(value))).collect();
            format!("[{}]", values.join(", "))
        }
    };
    format!("{} {operator} {right}", show(result.left))
}

fn counts(counter: Counter, equal: bool, number: usize, cell_view: &CellView<'_>) -> bool {
    counter.value(cell_view).is_some_and(|value| (value == number) == equal)
}

/// Whether a comparison with values holds for the value on its left. For null, none does, as in the language.
fn is_met(cell_view: &CellView<'_>, left: Option<ValueId>, equal: bool, values: &Listed) -> bool {
    let left = left.and_then(|left| cell_view.vocabulary().text(left));
    left.is_some_and(|left| values.as_slice().iter().any(|value| value == left) == equal)
}

/// `None` if one of the cells does not exist.
fn compared(
    condition: &Condition,
    left: NamedCell,
    right: NamedCell,
    tester: &Tester<'_>,
    cell_view: &CellView<'_>,
) -> Option<ConditionResult> {
    tester.test(condition, |CellRegister { register, cell }| {
        let cell = match cell {
            Cell::Updated => left,
            Cell::Source => right,
        };
        cell_view.value(register, cell)
    })
}

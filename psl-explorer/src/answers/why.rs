//! The conditions for one cell n, with the values on both sides.

use psl_runtime::{
    CellId, ConditionResult as Tested, Right,
    record::{RowId, why as explain},
};
use psl_syntax::program::{Comparison, Condition};
use serde::Serialize;

use super::term::{Constant, Operator, Reading, Term, constant, reading, term};
use crate::{no_answer::NoAnswer, positions::LineSpan, view::View};

/// Why cell N attends to cell n, or does not.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Why<'a> {
    /// The cell n.
    source: usize,
    /// Whether N can attend to n: n exists at that time, and `causal_attn` allows it.
    visible: bool,
    conditions: Vec<ConditionResult<'a>>,
    /// The 0-based index of the first condition that fails.
    first_failed: Option<usize>,
    /// Whether every condition holds.
    holds: bool,
    /// Whether N attends to n.
    wins: bool,
}

/// A condition with the values that it compares.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ConditionResult<'a> {
    span: LineSpan,
    /// The condition, as written.
    text: &'a str,
    left: Reading<'a>,
    operator: Operator,
    right: RightSide<'a>,
    holds: bool,
}

/// The right side of a condition: one term, or the constants of a list.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
enum RightSide<'a> {
    Term(Term<'a>),
    List(Vec<Constant<'a>>),
}

/// Explains why N attends to a cell n, or does not.
///
/// # Errors
///
/// Fails if the cell rests.
pub fn why(view: View<'_>, row: RowId, cell: CellId, source: CellId) -> Result<Why<'_>, NoAnswer> {
    let found = explain(view.program(), view.run, row, cell, source);
    let found = found.ok_or(NoAnswer::Rests { cell: cell.number(), row: row.index() })?;
    let conditions = view.production(row).map_or(&[][..], |production| &production.conditions);
    let result = |(condition, tested): (&Condition, &Tested)| {
        let value = match tested.right {
            Right::Value(value) | Right::Moved { to: value, .. } => value,
            Right::List(_) => None,
        };
        let term = |operand| RightSide::Term(term(view, operand, value));
        let list = |list: &[_]| RightSide::List(list.iter().map(|&id| constant(view, id)).collect());
        let (operator, right) = match &condition.comparison {
            Comparison::Is(operand) => (Operator::Is, term(*operand)),
            Comparison::IsNot(operand) => (Operator::IsNot, term(*operand)),
            Comparison::In(constants) => (Operator::In, list(constants)),
            Comparison::NotIn(constants) => (Operator::NotIn, list(constants)),
        };
        ConditionResult {
            span: view.line_span(tested.span),
            text: view.written(tested.span),
            left: reading(view, condition.left, None, tested.left),
            operator,
            right,
            holds: tested.holds,
        }
    };
    Ok(Why {
        source: source.number(),
        visible: found.visible,
        conditions: conditions.iter().zip(&found.conditions).map(result).collect(),
        first_failed: found.first_failed,
        holds: found.matches(),
        wins: found.wins,
    })
}

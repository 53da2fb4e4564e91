//! The conditions for one cell n, with the values on both sides.

use psl_record::why as explain;
use psl_runtime::Right;
use psl_syntax::program::{Cell, CellRegister as Read, Comparison, Condition, ConstantId, Operand};
use serde::Serialize;

use crate::{positions::LineSpan, view::View};

/// Why cell N attends to cell n, or does not.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    source: usize,
    visible: bool,
    conditions: Vec<ConditionResult>,
    first_failed: Option<usize>,
    holds: bool,
    wins: bool,
}

#[derive(Serialize)]
struct ConditionResult {
    span: LineSpan,
    text: String,
    left: Side,
    right: Side,
    holds: bool,
}

#[derive(Serialize)]
struct Side {
    text: String,
    value: Option<String>,
}

/// Explains one cell n.
///
/// # Errors
///
/// An unknown row or cell, or a cell that rests.
pub fn why(view: View<'_>, row: usize, cell: usize, source: usize) -> Result<Why, String> {
    view.row(row)?;
    view.check_cell(cell)?;
    let found = explain(view.program(), view.run, row, cell, source);
    let found = found.ok_or_else(|| format!("cell {cell} rests at row {row}"))?;
    let conditions = view.production(row).map_or(&[][..], |production| &production.conditions);
    let result = |(condition, result): (&Condition, &psl_runtime::ConditionResult)| {
        let (left, right) = sides(view, condition);
        let value = |value| view.value(value).map(str::to_owned);
        let right_value = match &result.right {
            Right::Value(held) | Right::Moved { to: held, .. } => value(*held),
            Right::List(list) => {
                let values: Vec<&str> = list.iter().filter_map(|&of| view.value(Some(of))).collect();
                Some(values.join(", "))
            }
        };
        ConditionResult {
            span: view.place(result.span),
            text: view.written(result.span).to_owned(),
            left: Side { text: left, value: value(result.left) },
            right: Side { text: right, value: right_value },
            holds: result.holds,
        }
    };
    Ok(Why {
        source,
        visible: found.visible,
        conditions: conditions.iter().zip(&found.conditions).map(result).collect(),
        first_failed: found.first_failed,
        holds: found.matches(),
        wins: found.wins,
    })
}

/// Both sides of a condition, as written.
fn sides(view: View<'_>, condition: &Condition) -> (String, String) {
    let constant = |&id: &ConstantId| view.program().constant(id).map_or("?", |constant| &constant.name);
    let right = match &condition.comparison {
        Comparison::Is(operand) | Comparison::IsNot(operand) => match operand {
            Operand::Constant(id) => constant(id).to_owned(),
            Operand::Register(place, None) => read(view, *place),
            Operand::Register(place, Some(function)) => format!("{}@{}", read(view, *place), function.as_str()),
        },
        Comparison::In(list) | Comparison::NotIn(list) => {
            format!("[{}]", list.iter().map(constant).collect::<Vec<_>>().join(", "))
        }
    };
    (read(view, condition.left), right)
}

fn read(view: View<'_>, place: Read) -> String {
    let cell = if place.cell == Cell::Source { "n" } else { "N" };
    format!("{}[{cell}]", view.register(place.register))
}

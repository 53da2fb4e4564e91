//! Terms of conditions, assignments and instructions: registers and constants.

use psl_runtime::ValueId;
use psl_syntax::program::{Cell, CellRegister, ConstantId, Function, Operand};
use serde::Serialize;

use crate::view::View;

/// A register that is read, with its value.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reading<'a> {
    /// The long name.
    register: &'a str,
    at: CellName,
    #[cfg_attr(test, ts(as = "Option<crate::protocol_names::PositionFunction>"))]
    function: Option<&'static str>,
    /// The value after the function.
    value: Option<&'a str>,
}

/// The cell that is updated, or the one that it attends to.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
enum CellName {
    N,
    #[serde(rename = "n")]
    Source,
}

/// A constant, by its name in the program and its value in the run.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Constant<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Term<'a> {
    Reading(Reading<'a>),
    Constant(Constant<'a>),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Operator {
    #[serde(rename = "==")]
    Is,
    #[serde(rename = "!=")]
    IsNot,
    #[serde(rename = "in")]
    In,
    #[serde(rename = "not in")]
    NotIn,
}

/// A register that is read. `value` is its value after the function.
pub fn reading(view: View<'_>, read: CellRegister, function: Option<Function>, value: Option<ValueId>) -> Reading<'_> {
    Reading {
        register: view.register(read.register),
        at: if read.cell == Cell::Source { CellName::Source } else { CellName::N },
        function: function.map(Function::as_str),
        value: view.value(value),
    }
}

pub fn constant(view: View<'_>, id: ConstantId) -> Constant<'_> {
    let psl_syntax::program::Constant { name, value, .. } = &view.program().constants[id];
    Constant { name, value }
}

/// An operand. `value` is that of a register after the function, and unused for a constant.
pub fn term(view: View<'_>, operand: Operand, value: Option<ValueId>) -> Term<'_> {
    match operand {
        Operand::Constant(id) => Term::Constant(constant(view, id)),
        Operand::Register(place, function) => Term::Reading(reading(view, place, function, value)),
    }
}

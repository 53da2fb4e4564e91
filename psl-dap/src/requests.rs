//! The arguments of requests. The names are those of the protocol.

use serde::Deserialize;

use crate::breakpoints::OnFault;

/// Breakpoints to set.
#[derive(Deserialize)]
pub struct Wanted<T> {
    #[serde(default = "Vec::new")]
    pub breakpoints: Vec<T>,
}

/// Faults to stop at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WantedFaults {
    #[serde(default)]
    pub filters: Vec<String>,
    #[serde(default)]
    pub filter_options: Vec<OnFault>,
}

/// A variable of a scope, or an expression.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    pub name: String,
    #[serde(default)]
    pub variables_reference: Option<i64>,
}

/// A thread whose stack is wanted.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    pub thread_id: i64,
}

/// A frame.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    pub frame_id: i64,
}

/// A part of the variables of a scope.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfVariables {
    pub variables_reference: i64,
    #[serde(default)]
    pub start: usize,
    #[serde(default)]
    pub count: usize,
}

/// A new value of a variable.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewValue {
    pub variables_reference: i64,
    pub name: String,
    pub value: String,
}

/// A new value of a register of a cell.
#[derive(Deserialize)]
pub struct NewExpression {
    pub expression: String,
    pub value: String,
}

/// The wanted part of a stack.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Frames {
    pub start_frame: usize,
    pub levels: usize,
}

/// An expression to evaluate, or a command.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    pub expression: String,
    #[serde(default)]
    pub frame_id: Option<i64>,
    #[serde(default)]
    pub context: String,
}

/// A line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnALine {
    pub line: usize,
    #[serde(default)]
    pub end_line: Option<usize>,
}

/// A target of `gotoTargets`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub target_id: usize,
}

/// The size of a step.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Granularity {
    pub granularity: Option<String>,
}

//! The requests of a client. The names are those of the protocol.

use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::{Value, from_value, json};

use crate::{
    breakpoints::{OnData, OnFault, OnLabel, OnLine},
    launch::Arguments,
    numbering::Numbering,
    path_format::PathFormat,
    source::GivenSource,
};

/// A request with its arguments.
#[derive(Deserialize)]
#[serde(tag = "command", content = "arguments", rename_all = "camelCase")]
pub enum Request {
    Initialize(Abilities),
    Launch(Box<Arguments>),
    Attach(IgnoredAny),
    Restart(Option<Restarted>),
    Terminate(IgnoredAny),
    Disconnect(IgnoredAny),
    Threads(IgnoredAny),
    SetBreakpoints(WantedLines),
    SetFunctionBreakpoints(Wanted<OnLabel>),
    SetExceptionBreakpoints(WantedFaults),
    DataBreakpointInfo(Named),
    SetDataBreakpoints(Wanted<OnData>),
    BreakpointLocations(LineRange),
    ConfigurationDone(IgnoredAny),
    Continue(OfThread),
    ReverseContinue(OfThread),
    Next(SizedStep),
    StepIn(OfThread),
    StepOut(OfThread),
    StepBack(SizedStep),
    Pause(OfThread),
    RestartFrame(OfFrame),
    GotoTargets(LineRange),
    Goto(Target),
    StackTrace(OfStack),
    Scopes(OfFrame),
    Variables(OfVariables),
    SetVariable(NewValue),
    SetExpression(NewExpression),
    Source(IgnoredAny),
    ExceptionInfo(IgnoredAny),
    Evaluate(Evaluated),
    Completions(Typed),
    #[serde(rename = "psl/table")]
    Table(IgnoredAny),
    #[serde(rename = "psl/text")]
    Text(EditorText),
    #[serde(other, deserialize_with = "ignore")]
    Unknown,
}

fn ignore<'de, D: Deserializer<'de>>(arguments: D) -> Result<(), D::Error> {
    IgnoredAny::deserialize(arguments).map(|_| ())
}

impl Request {
    /// Reads a request. Missing arguments are null.
    ///
    /// # Errors
    ///
    /// Arguments that do not suit the command.
    pub fn read(command: &str, arguments: &Value) -> Result<Self, serde_json::Error> {
        from_value(json!({ "command": command, "arguments": arguments }))
    }
}

/// The abilities of a client.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Abilities {
    #[serde(flatten)]
    pub numbering: Numbering,
    pub path_format: PathFormat,
    pub supports_invalidated_event: bool,
}

/// The arguments of a new launch, or `None` for those of the last one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Restarted {
    pub arguments: Option<Box<Arguments>>,
}

/// Breakpoints to set.
#[derive(Deserialize)]
pub struct Wanted<T> {
    #[serde(default = "Vec::new")]
    pub breakpoints: Vec<T>,
}

/// Breakpoints to set in a source.
#[derive(Deserialize)]
pub struct WantedLines {
    #[serde(default)]
    pub source: Option<GivenSource>,
    #[serde(default)]
    pub breakpoints: Vec<OnLine>,
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    pub thread_id: i64,
}

/// A thread, and the size of its step.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SizedStep {
    pub thread_id: i64,
    #[serde(default)]
    granularity: Option<Granularity>,
}

impl SizedStep {
    /// Returns the movement by a layer or by a cell.
    pub fn sized<T>(&self, layer: T, cell: T) -> T {
        match self.granularity {
            Some(Granularity::Instruction) => cell,
            Some(Granularity::Other) | None => layer,
        }
    }
}

/// The size of a movement.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Granularity {
    Instruction,
    #[serde(other)]
    Other,
}

/// The wanted part of a thread's stack.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfStack {
    pub thread_id: i64,
    #[serde(default)]
    pub start_frame: usize,
    #[serde(default)]
    pub levels: usize,
}

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

/// A cursor in the text of the console.
#[derive(Deserialize)]
pub struct Typed {
    pub text: String,
    /// The column in UTF-16 code units.
    pub column: usize,
    /// The line of the text, or `None` for the first.
    #[serde(default)]
    pub line: Option<usize>,
}

/// Lines of the program. Without a last one, a single line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineRange {
    #[serde(default)]
    pub source: Option<GivenSource>,
    pub line: usize,
    #[serde(default)]
    pub end_line: Option<usize>,
}

/// The text of the program in an editor, or `None` if the file has it.
#[derive(Deserialize)]
pub struct EditorText {
    #[serde(default)]
    pub text: Option<String>,
}

/// A target of `gotoTargets`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub target_id: usize,
}

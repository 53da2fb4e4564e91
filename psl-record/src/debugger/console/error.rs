//! The reasons why a command has no answer.

use std::fmt;

use super::here::in_pass;
use crate::debugger::error::DebugError;

/// The reason why a command has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The debugger has no answer.
    Debug(DebugError),
    /// The command is unknown.
    UnknownCommand {
        /// Its name.
        name: String,
        /// The command with the nearest name, or `None` if no name is near.
        nearest: Option<&'static str>,
    },
    /// The command takes no arguments.
    TakesNoArguments {
        /// The command.
        command: &'static str,
        /// The arguments.
        found: String,
    },
    /// An argument does not suit the command.
    Arguments {
        /// The usage of the command.
        usage: String,
        /// The argument. Empty if it is missing.
        found: String,
    },
    /// An argument of `why` that is not the number of a cell.
    WhyNotCell(String),
    /// `why` with this cell alone.
    WhyOneCell(usize),
    /// `why` with this number of cells.
    WhyCells(usize),
    /// A text after `catch` that is not a clause.
    NotClause(String),
    /// A data breakpoint on `n`.
    WatchedSource,
    /// `catch disagree` without a second machine.
    OneMachine,
    /// There is no breakpoint with this number.
    UnknownBreakpoint(usize),
    /// The program has no such layer.
    UnknownLayer {
        /// The number of layers.
        count: usize,
    },
    /// No production is on this line or after it.
    LineAfterProductions(usize),
    /// No production has the label.
    UnknownLabel(String),
    /// One of several layers to ablate has an unknown label.
    UnknownLabelOfSeveral {
        /// The label.
        label: String,
        /// The number of layers.
        count: usize,
    },
    /// Numbers of layers that cannot be read, or that the program lacks.
    Layers(String),
    /// The run has no such step.
    UnknownStep {
        /// The step.
        step: usize,
        /// The last step.
        last: usize,
    },
    /// The step does not compute the cell.
    CellOfAnotherStep {
        /// The step.
        step: usize,
        /// The first cell of the step.
        first: usize,
        /// The last cell of the step.
        last: usize,
        /// The cell.
        cell: usize,
    },
    /// The step does not run the layer in the passes.
    NotRun {
        /// The step.
        step: usize,
        /// The layer, or `None` if only the passes are given.
        layer: Option<usize>,
        /// The passes.
        pass: Vec<usize>,
    },
    /// `why` without cells at a cell that attends to none.
    AttendsToNoCell(usize),
    /// `diff` in a run that is not that of a test.
    NoGold,
}

impl From<DebugError> for CommandError {
    fn from(error: DebugError) -> Self {
        Self::Debug(error)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = |example: &str| format!("`{example}` shows why cell N attends to cell n, or why it does not");
        match self {
            Self::Debug(error) => error.fmt(out),
            Self::UnknownCommand { name, nearest: Some(nearest) } => {
                write!(out, "unknown command `{name}`; did you mean `{nearest}`?")
            }
            Self::UnknownCommand { name, nearest: None } => {
                write!(out, "unknown command `{name}`; `help` lists the commands")
            }
            Self::TakesNoArguments { command, found } => {
                write!(out, "`{command}` takes no arguments: remove `{found}`")
            }
            Self::Arguments { usage, found } if found.is_empty() => write!(out, "expected `{usage}`, found nothing"),
            Self::Arguments { usage, found } => write!(out, "expected `{usage}`, found `{found}`"),
            Self::WhyNotCell(word) => write!(out, "`{word}` is not the number of a cell: {}", why("why 7 4")),
            Self::WhyOneCell(cell) => write!(out, "the cell `n` is missing: {}", why(&format!("why {cell} 1"))),
            Self::WhyCells(count) => write!(out, "`why` takes two cells, found {count}: {}", why("why 7 4")),
            Self::NotClause(text) => write!(out, "expected `if`, `hits` or `log`, found `{text}`"),
            Self::WatchedSource => out.write_str("`n` is another cell at each layer: give its number"),
            Self::OneMachine => {
                out.write_str("one machine runs, so that none disagrees: start with --verify to have a second one")
            }
            Self::UnknownBreakpoint(id) => write!(out, "there is no breakpoint {id}: `breakpoints` lists them"),
            Self::UnknownLayer { count } => write!(out, "the layers are 1 to {count}"),
            Self::LineAfterProductions(line) => write!(out, "line {line} is after the last production"),
            Self::UnknownLabel(label) => {
                write!(out, "no production has the label `{label}`; give its line or `layer L`")
            }
            Self::UnknownLabelOfSeveral { label, count } => {
                write!(out, "no production has the label `{label}`; give the number of its layer, from 1 to {count}")
            }
            Self::Layers(message) => out.write_str(message),
            Self::UnknownStep { step, last } => write!(out, "the run has no step {step}: its steps are 0 to {last}"),
            Self::CellOfAnotherStep { step, first, last, cell } => {
                write!(out, "step {step} computes cells {first} to {last}, not cell {cell}")
            }
            Self::NotRun { step, layer, pass } => {
                let layer = layer.map_or_else(String::new, |layer| format!(" layer {layer}"));
                write!(out, "step {step} does not run{layer}{}", in_pass(pass))
            }
            Self::AttendsToNoCell(cell) => {
                write!(out, "cell {cell} attends to no cell here: name one, as in `why {cell} 1`")
            }
            Self::NoGold => out.write_str("only a test has an expected continuation: debug one with --test"),
        }
    }
}

impl std::error::Error for CommandError {}

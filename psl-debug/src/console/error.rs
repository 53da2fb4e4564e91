//! The reasons why a command has no answer.

use psl_program::NotALayer;
use psl_runtime::CellId;
use thiserror::Error;

use super::here::in_pass;
use crate::error::DebugError;

/// The reason why a command has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The debugger has no answer.
    #[error(transparent)]
    Debug(#[from] DebugError),
    /// The command is unknown.
    #[error("unknown command `{name}`; {}", match .nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "`help` lists the commands".to_owned(),
    })]
    UnknownCommand {
        name: String,
        /// The command with the nearest name, or `None` if no name is near.
        nearest: Option<&'static str>,
    },
    /// The command takes no arguments.
    #[error("`{command}` takes no arguments: remove `{found}`")]
    TakesNoArguments {
        command: &'static str,
        /// The arguments.
        found: String,
    },
    /// An argument does not suit the command.
    #[error("expected `{usage}`, found {}", if .found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") })]
    Arguments {
        /// The usage of the command.
        usage: String,
        /// The argument. Empty if it is missing.
        found: String,
    },
    /// An argument of `why` that is not the number of a cell.
    #[error("`{word}` is not the number of a cell: {}", why("why 7 4"), word = .0)]
    WhyNotCell(String),
    /// `why` with this cell alone.
    #[error("the cell `n` is missing: {}", why(&format!("why {} 1", .0)))]
    WhyOneCell(usize),
    /// `why` with this number of cells.
    #[error("`why` takes two cells, found {count}: {}", why("why 7 4"), count = .0)]
    WhyCells(usize),
    /// A text after `catch` that is not a clause.
    #[error("expected `if`, `hits` or `log`, found `{0}`")]
    NotClause(String),
    /// A data breakpoint on a comparison with anything but one value.
    #[error("`watch` compares with one value, as in `field[5] == XQ`: write other conditions after `if`")]
    NotOneValue,
    /// A data breakpoint on `n`.
    #[error("`n` is another cell at each layer: give its number")]
    WatchedSource,
    /// `catch disagree` without a second machine.
    #[error("one machine runs, so that none disagrees: start with --verify to have a second one")]
    OneMachine,
    /// There is no breakpoint with this number.
    #[error("there is no breakpoint {0}: `breakpoints` lists them")]
    UnknownBreakpoint(usize),
    /// No production is on this line or after it.
    #[error("line {0} is after the last production")]
    LineAfterProductions(usize),
    /// A text that names no layer.
    #[error(transparent)]
    NotALayer(#[from] NotALayer),
    /// The run has no such step.
    #[error("the run has no step {step}: its steps are 0 to {last}")]
    UnknownStep {
        step: usize,
        /// The last step.
        last: usize,
    },
    /// The step does not compute the cell.
    #[error("step {step} computes cells {first} to {last}, not cell {cell}")]
    CellOfAnotherStep {
        step: usize,
        /// The first cell of the step.
        first: CellId,
        /// The last cell of the step.
        last: CellId,
        cell: usize,
    },
    /// The step does not run the layer in the passes.
    #[error(
        "step {step} does not run{}{}",
        .layer.map_or_else(String::new, |layer| format!(" layer {layer}")),
        in_pass(.pass)
    )]
    NotRun {
        step: usize,
        /// The layer, or `None` if only the passes are given.
        layer: Option<usize>,
        /// The passes.
        pass: Vec<usize>,
    },
    /// `why` without cells at a cell that attends to none.
    #[error("cell {0} attends to no cell here: name one, as in `why {0} 1`")]
    AttendsToNoCell(CellId),
    /// `diff` in a run that is not that of a test.
    #[error("only a test has an expected continuation: debug one with --test")]
    NoGold,
}

fn why(example: &str) -> String {
    format!("`{example}` shows why cell N attends to cell n, or why it does not")
}

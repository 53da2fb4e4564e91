//! Requests without an answer.

use psl_program::{NotAPrompt, NotAligned, NotCompiled, NotPatched, RunFailure, UnknownTest};
use psl_runtime::UnknownMachine;
use thiserror::Error;

/// The reason why a request has no answer. Users see its message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoAnswer {
    /// The message of the parser.
    #[error("invalid request: {0}")]
    InvalidRequest(String),
    #[error("open a program first")]
    NotOpen,
    #[error("unknown slot {0}: the slots are 0 and 1")]
    UnknownSlot(usize),
    #[error("slot {0} does not have a run")]
    NoRun(usize),
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
    #[error(transparent)]
    UnknownMachine(#[from] UnknownMachine),
    #[error(transparent)]
    UnknownTest(#[from] UnknownTest),
    #[error(transparent)]
    NotAPrompt(#[from] NotAPrompt),
    #[error("{}", .0.message)]
    Run(RunFailure),
    /// The reason why a value cannot be set.
    #[error("{0}")]
    NotSet(String),
    #[error(transparent)]
    NotAligned(#[from] NotAligned),
    #[error(transparent)]
    NotPatched(#[from] NotPatched),
    #[error(
        "{count} values of the register differ, and the page patches at most {limit} of them: choose another register, \
         shorten the prompt, or use `psl patch`"
    )]
    TooManyPatches { count: usize, limit: usize },
    #[cfg(not(feature = "debugger"))]
    #[error("this page has no debugger: use the playground or `psl debug`")]
    NoDebugger,
    #[error("unknown row {0}")]
    UnknownRow(usize),
    #[error("unknown cell {0}")]
    UnknownCell(usize),
    #[error("cell {cell} rests at row {row}")]
    Rests { cell: usize, row: usize },
    #[error("unknown layer {0}")]
    UnknownLayer(usize),
    #[error("unknown block {0}")]
    UnknownBlock(usize),
    #[error(
        "this run has {values} values, and the limit for weights and vectors is {limit}: shorten the prompt or lower \
         `max-new`"
    )]
    TooManyValues { values: usize, limit: usize },
    /// The reason why the embedding cannot hold the values.
    #[error("{0}")]
    NoEmbedding(String),
    /// The message of the serializer, a defect of the module.
    #[error("{0}")]
    NotJson(String),
}

impl From<RunFailure> for NoAnswer {
    fn from(failure: RunFailure) -> Self {
        Self::Run(failure)
    }
}

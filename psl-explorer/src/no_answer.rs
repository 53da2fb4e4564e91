//! The reason why a request has no answer.

use psl_program::{NotAPrompt, NotCompiled, RunFailure, UnknownTest};
use psl_runtime::UnknownMachine;
use thiserror::Error;

/// The reason why a request has no answer. Its message is for people.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoAnswer {
    /// The text is not a request: the message of the parser.
    #[error("invalid request: {0}")]
    InvalidRequest(String),
    /// No program is open.
    #[error("open a program first")]
    NotOpen,
    /// There are two slots.
    #[error("unknown slot {0}: the slots are 0 and 1")]
    UnknownSlot(usize),
    /// A slot without a run.
    #[error("slot {0} does not have a run")]
    NoRun(usize),
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
    #[error(transparent)]
    UnknownMachine(#[from] UnknownMachine),
    #[error(transparent)]
    UnknownTest(#[from] UnknownTest),
    /// The cells are not a structured prompt.
    #[error(transparent)]
    NotAPrompt(#[from] NotAPrompt),
    /// The prompt cannot run.
    #[error("{}", .0.message)]
    Run(RunFailure),
    /// The run lacks a row.
    #[error("unknown row {0}")]
    UnknownRow(usize),
    /// The run lacks a cell.
    #[error("unknown cell {0}")]
    UnknownCell(usize),
    /// A cell lacks a row.
    #[error("cell {cell} rests at row {row}")]
    Rests { cell: usize, row: usize },
    /// The program lacks a layer.
    #[error("unknown layer {0}")]
    UnknownLayer(usize),
    /// The layer lacks a block.
    #[error("unknown block {0}")]
    UnknownBlock(usize),
    /// The vocabulary has too many values for weights and vectors.
    #[error(
        "this run has {values} values, and the limit for weights and vectors is {limit}: shorten the prompt or lower \
         `max-new`"
    )]
    TooManyValues { values: usize, limit: usize },
    /// The values do not fit into the embedding, for this reason.
    #[error("{0}")]
    NoEmbedding(String),
    /// The answer is not JSON, which is a defect of the module.
    #[error("{0}")]
    NotJson(String),
}

impl From<RunFailure> for NoAnswer {
    fn from(failure: RunFailure) -> Self {
        Self::Run(failure)
    }
}

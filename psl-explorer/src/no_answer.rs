//! The reason why a request has no answer.

use std::fmt;

use psl_runtime::UnknownMachine;

use crate::layer_tensors::MOST_COMPONENTS;

/// The reason why a request has no answer. Its message is for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The text is not a request: the message of the parser.
    InvalidRequest(String),
    /// No program is open.
    NotOpen,
    /// There are two slots.
    UnknownSlot(usize),
    /// Nothing has run in a slot.
    NoRun(usize),
    /// The program lacks a test.
    UnknownTest(usize),
    /// There is no such machine.
    UnknownMachine(UnknownMachine),
    /// The run lacks a row.
    UnknownRow(usize),
    /// The run lacks a cell.
    UnknownCell(usize),
    /// A cell lacks a row.
    Rests {
        /// The cell.
        cell: usize,
        /// The row.
        row: usize,
    },
    /// The program lacks a layer.
    UnknownLayer(usize),
    /// The layer lacks a block.
    UnknownBlock(usize),
    /// The vocabulary has this many values, too many for weights and vectors.
    TooManyValues(usize),
    /// The program, the prompt or the embedding has an error: its message.
    Failed(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidRequest(message) => write!(out, "invalid request: {message}"),
            Self::NotOpen => out.write_str("open a program first"),
            Self::UnknownSlot(slot) => write!(out, "unknown slot {slot}: the slots are 0 and 1"),
            Self::NoRun(slot) => write!(out, "slot {slot} does not have a run"),
            Self::UnknownTest(test) => write!(out, "unknown test {test}"),
            Self::UnknownMachine(machine) => machine.fmt(out),
            Self::UnknownRow(row) => write!(out, "unknown row {row}"),
            Self::UnknownCell(cell) => write!(out, "unknown cell {cell}"),
            Self::Rests { cell, row } => write!(out, "cell {cell} rests at row {row}"),
            Self::UnknownLayer(layer) => write!(out, "unknown layer {layer}"),
            Self::UnknownBlock(block) => write!(out, "unknown block {block}"),
            Self::TooManyValues(values) => write!(
                out,
                "this run has {values} values, and the limit for weights and vectors is {MOST_COMPONENTS}: shorten the prompt or lower \
                 `max-new`"
            ),
            Self::Failed(message) => out.write_str(message),
        }
    }
}

impl From<String> for NoAnswer {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

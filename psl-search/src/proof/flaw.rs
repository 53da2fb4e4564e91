//! The ways in which runs refute statements.

use psl_program::{Continuation, count};
use psl_runtime::{CellId, MachineKind};
use psl_syntax::program::ProductionId;

/// The way in which a run refutes a statement. Symbols are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The run fails.
    Fails,
    /// A symbol is null.
    Null(usize),
    /// The continuation is cut off after this many symbols.
    CutOff(usize),
    /// A symbol is not one of the prompt.
    Foreign(usize, String),
    /// A cell attends to one on its right.
    LooksAhead(ProductionId, CellId, CellId),
    /// A machine differs from the PSM.
    Differs(MachineKind),
    /// The run ends otherwise than expected.
    Unexpected,
    /// A register of a cell has another value after the last layer than expected.
    State(Box<StateFlaw>),
}

/// A register of a cell with another value after the last layer than expected. Null is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFlaw {
    pub(super) register: String,
    pub(super) cell: CellId,
    pub(super) got: Option<String>,
    pub(super) expected: Option<String>,
}

impl Flaw {
    /// The flaw as a clause. A run that fails has a message in place of a continuation, and so has one that should.
    pub(super) fn in_words(
        &self,
        continuation: &Result<Continuation, String>,
        expected: Option<&Result<Continuation, String>>,
    ) -> String {
        match self {
            Self::Fails => continuation.as_ref().err().cloned().unwrap_or_else(|| "the run fails".to_owned()),
            Self::Null(number) => format!("symbol {number} is null"),
            Self::CutOff(number) => format!("the continuation is cut off after {}", count(*number, "symbol")),
            Self::Foreign(number, symbol) => format!("symbol {number}, `{symbol}`, is not in the prompt"),
            Self::LooksAhead(layer, cell, attends) => {
                let (cell, attends) = (cell.number(), attends.number());
                format!("in layer {}, cell {cell} attends to cell {attends}", layer.number())
            }
            Self::Differs(machine) => format!("{} differs from psm", machine.name()),
            Self::Unexpected => match (continuation, expected) {
                (Ok(_), Some(Err(other))) => format!("the run ends, and should fail: {other}"),
                (Err(own), Some(Err(other))) => format!("{own}; expected: {other}"),
                (Err(own), _) => own.clone(),
                (Ok(_), _) => "the continuation is not the expected one".to_owned(),
            },
            Self::State(state) => {
                let StateFlaw { register, cell, got, expected } = &**state;
                let shown = |value: &Option<String>| value.as_ref().map_or("null".to_owned(), |it| format!("`{it}`"));
                let (got, expected) = (shown(got), shown(expected));
                format!("after the last layer, `{register}` of cell {cell} is {got}, not {expected}")
            }
        }
    }
}

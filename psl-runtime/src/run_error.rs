//! Errors of a run and their messages.

use std::fmt::Write as _;

use psl_syntax::program::RegisterId;

use crate::{
    cell_id::CellId,
    heads::LayerId,
    input::Registers,
    trace::place_in_words,
    vocabulary::{ValueId, Vocabulary},
};

/// The reason why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The state of a repeat block repeats, so that the block never ends.
    Endless {
        /// The block that never ends.
        block: BlockName,
        /// The cycle of states.
        cycle: Cycle,
    },
    /// A repeat block took more passes than the limit allows.
    TooManyPasses {
        /// The block that exceeds the limit.
        block: BlockName,
        /// The maximum number of passes of a block.
        max_passes: usize,
    },
    /// Heads of a layer set one register of a cell to different values.
    Conflict(Box<Conflict>),
    /// The run took more work than the limit allows.
    TooMuchWork {
        /// The maximum number of comparisons of a run.
        max_work: u64,
    },
    /// The run needed more values of earlier cells than the limit allows.
    TooMuchKept {
        /// The maximum number of values that a run keeps.
        max_kept: u64,
    },
    /// Dense vectors of values or of registers would have too many components.
    TooDense {
        /// The number of values, d, or of registers, R.
        dimension: usize,
        /// The maximum number of components of a dense vector.
        max_dense: usize,
    },
    /// The caller cancelled the run.
    Cancelled,
    /// The observer ended the run.
    Ended,
}

/// A register of a cell that heads of a layer set to different values: that of the first such cell, and of its first
/// such register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The generated cell that is computed, or 0 in the prompt pass.
    pub step: usize,
    /// The layer.
    pub layer: LayerId,
    /// The passes of the enclosing repeat blocks, outermost first, as in [`Update`](crate::Update).
    pub pass: Vec<usize>,
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The values, ascending.
    pub values: Vec<ValueId>,
}

/// The name of a repeat block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockName {
    /// The block's number among the program's repeat blocks, in the order of their `repeat` lines, from 1.
    pub number: usize,
    /// The block's label.
    pub label: Option<String>,
}

/// A cycle of a repeat block's states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The number of passes in the cycle.
    pub passes: usize,
    /// The registers that change within the cycle, ordered by cell and register. Empty if a pass changes nothing and
    /// the block's condition does not hold.
    pub turning: Vec<Turning>,
}

/// A register that changes within a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turning {
    /// The cell.
    pub cell: CellId,
    /// The register.
    pub register: RegisterId,
    /// The register's distinct values after the passes of the cycle.
    pub values: Vec<Option<ValueId>>,
}

impl RunError {
    /// The repeat block that caused the error, or `None` for other errors.
    pub fn block(&self) -> Option<&BlockName> {
        match self {
            Self::Endless { block, .. } | Self::TooManyPasses { block, .. } => Some(block),
            Self::Conflict(_)
            | Self::TooMuchWork { .. }
            | Self::TooMuchKept { .. }
            | Self::TooDense { .. }
            | Self::Cancelled
            | Self::Ended => None,
        }
    }

    /// Whether the error depends on the machine, so that another machine might have finished the run.
    pub fn depends_on_machine(&self) -> bool {
        matches!(self, Self::TooMuchWork { .. } | Self::TooMuchKept { .. } | Self::TooDense { .. } | Self::Cancelled)
    }

    /// The message: the place, the cause and a suggestion.
    pub fn message(&self, registers: &Registers, vocabulary: &Vocabulary) -> String {
        match self {
            Self::Endless { block, cycle } if cycle.turning.is_empty() => format!(
                "{} never stops: a pass changes nothing, and the `until` conditions do not hold; \
                 use `until NO_CHANGE`, or conditions that the block makes true",
                block.describe()
            ),
            Self::Endless { block, cycle } => format!(
                "{} never stops: its state repeats every {} ({}); \
                 add conditions that keep its productions from overwriting a register that is set",
                block.describe(),
                if cycle.passes == 1 { "pass".to_owned() } else { format!("{} passes", cycle.passes) },
                cycle.describe(registers, vocabulary)
            ),
            Self::TooManyPasses { block, max_passes } => format!(
                "{} did not stop within {max_passes} passes; raise the limit, or change its productions so that it stops",
                block.describe()
            ),
            Self::Conflict(conflict) => conflict.message(registers, vocabulary),
            Self::TooMuchWork { max_work } => format!(
                "the run took more work than comparing {max_work} pairs of cells; shorten the prompt, lower `max-new`, \
                 or use the machine `dat`, which compares the fewest"
            ),
            Self::TooMuchKept { max_kept } => format!(
                "the run needed more than {max_kept} values of earlier cells; shorten the prompt, lower `max-new`, \
                 or use the machine `dat`, which keeps the fewest"
            ),
            Self::TooDense { dimension, max_dense } => format!(
                "a dense embedding needs vectors of {dimension} components, and the limit is {max_dense}; shorten the \
                 prompt, lower `max-new`, or use the local embedding"
            ),
            Self::Cancelled => "the run was cancelled".to_owned(),
            Self::Ended => "the run was ended by its reader".to_owned(),
        }
    }
}

impl Conflict {
    fn message(&self, registers: &Registers, vocabulary: &Vocabulary) -> String {
        let mut values: Vec<_> = self.values.iter().map(|&value| vocabulary.show(Some(value))).collect();
        values.sort_unstable();
        format!(
            "{}: heads of one layer set {} to different values: {}; add conditions that keep all but one of them from \
             setting it, or put them into different layers",
            place_in_words(self.step, self.layer, &self.pass, self.cell),
            registers.name(self.register),
            values.join(", ")
        )
    }
}

impl BlockName {
    fn describe(&self) -> String {
        match &self.label {
            Some(label) => format!("repeat block {} ({label})", self.number),
            None => format!("repeat block {}", self.number),
        }
    }
}

impl Cycle {
    /// The number of registers to show. More would not help to find the cause.
    const SHOWN: usize = 3;

    fn describe(&self, registers: &Registers, vocabulary: &Vocabulary) -> String {
        let mut words = String::new();
        for (index, turning) in self.turning.iter().take(Self::SHOWN).enumerate() {
            let name = registers.name(turning.register);
            let values: Vec<_> = turning.values.iter().map(|&value| vocabulary.show(value)).collect();
            let comma = if index == 0 { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(words, "{comma}{name} of cell {}: {}", turning.cell, values.join(" -> "));
        }
        if self.turning.len() > Self::SHOWN {
            let _ = write!(words, ", and {} more", self.turning.len() - Self::SHOWN);
        }
        words
    }
}

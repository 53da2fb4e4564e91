//! Why a run fails, in words too.

use std::fmt::Write as _;

use crate::input::Registers;
use crate::vocabulary::{ValueId, Vocabulary};

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// A repeat block came back to a state from which it can only go round.
    Endless {
        /// The block.
        block: BlockName,
        /// What goes round.
        cycle: Cycle,
    },
    /// A repeat block took more passes than the limit allows.
    TooManyPasses {
        /// The block.
        block: BlockName,
        /// The most passes that a block may take.
        max_passes: usize,
    },
    /// The run took more work than the limit allows.
    TooMuchWork {
        /// The most comparisons that a run may take.
        max_work: u64,
    },
    /// The run needed more values of earlier cells than the limit allows.
    TooMuchKept {
        /// The most values that a run may keep.
        max_kept: u64,
    },
    /// Dense vectors of values or of registers would have too many components.
    TooDense {
        /// The number of values, d, or that of registers, R.
        dimension: usize,
        /// The most components that a dense vector may have.
        max_dense: usize,
    },
    /// The caller no longer wanted the answer.
    Cancelled,
}

/// Which repeat block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockName {
    /// The block's number among the program's repeat blocks, from 1, in the order in which they open.
    pub number: usize,
    /// The block's label.
    pub label: Option<String>,
}

/// How a block goes round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The number of passes after which the state is the same again.
    pub passes: usize,
    /// The registers that change on the way, ordered by cell and register; none where the block settles, but its
    /// condition does not hold.
    pub turning: Vec<Turning>,
}

/// A register that goes round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turning {
    /// The cell, from 1.
    pub cell: usize,
    /// The register, by its index in [`Registers`].
    pub register: usize,
    /// What it holds after the passes of the cycle, without repetitions.
    pub values: Vec<Option<ValueId>>,
}

impl RunError {
    /// The block that is to blame, where one is.
    pub fn block(&self) -> Option<&BlockName> {
        match self {
            Self::Endless { block, .. } | Self::TooManyPasses { block, .. } => Some(block),
            Self::TooMuchWork { .. } | Self::TooMuchKept { .. } | Self::TooDense { .. } | Self::Cancelled => None,
        }
    }

    /// Whether it says more of the machine than of the program: another one might have gone on.
    pub fn depends_on_machine(&self) -> bool {
        matches!(self, Self::TooMuchWork { .. } | Self::TooMuchKept { .. } | Self::TooDense { .. } | Self::Cancelled)
    }

    /// The error in words: place, cause and way out.
    pub fn message(&self, registers: &Registers, vocabulary: &Vocabulary) -> String {
        match self {
            Self::Endless { block, cycle } if cycle.turning.is_empty() => format!(
                "{} never stops: a pass changes nothing any more, and its `until` conditions do not hold; \
                 end it with `until NO_CHANGE`, or give it conditions that it brings about",
                block.in_words()
            ),
            Self::Endless { block, cycle } => format!(
                "{} never stops: every {} it is in the same state again ({}); \
                 guard its productions so that a register that is set stays as it is",
                block.in_words(),
                if cycle.passes == 1 { "pass".to_owned() } else { format!("{} passes", cycle.passes) },
                cycle.in_words(registers, vocabulary)
            ),
            Self::TooManyPasses { block, max_passes } => format!(
                "{} did not stop within {max_passes} passes; allow more passes, or make its productions settle",
                block.in_words()
            ),
            Self::TooMuchWork { max_work } => format!(
                "the run was stopped after as much work as comparing {max_work} pairs of cells; give a shorter prompt or a \
                 smaller max-new, or run it on the `dat`, which compares fewest"
            ),
            Self::TooMuchKept { max_kept } => format!(
                "the run was stopped when it needed more than {max_kept} values of earlier cells; give a shorter prompt \
                 or a smaller max-new, or run it on the `dat`, which keeps fewest"
            ),
            Self::TooDense { dimension, max_dense } => format!(
                "a dense embedding would need vectors of {dimension} components, more than {max_dense}, which take too long \
                 to make; give a shorter prompt or a smaller max-new, or run it in the local embedding"
            ),
            Self::Cancelled => "the run was cancelled".to_owned(),
        }
    }
}

impl BlockName {
    fn in_words(&self) -> String {
        match &self.label {
            Some(label) => format!("repeat block {} ({label})", self.number),
            None => format!("repeat block {}", self.number),
        }
    }
}

impl Cycle {
    /// More would not help to find the cause.
    const SHOWN: usize = 3;

    fn in_words(&self, registers: &Registers, vocabulary: &Vocabulary) -> String {
        let mut words = String::new();
        for (index, turning) in self.turning.iter().take(Self::SHOWN).enumerate() {
            let name = registers.long.get(turning.register).map_or("?", String::as_str);
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

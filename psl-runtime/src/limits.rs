//! The limits of a run.

use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use psl_syntax::program::ProductionId;

use crate::vocabulary::ValueId;

/// The limits of a run, whatever its program and prompt.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum length of the continuation.
    pub max_new: usize,
    /// The stop symbol, or `None` if the vocabulary does not contain it.
    pub stop: Option<ValueId>,
    /// The maximum number of passes of one repeat block.
    pub max_passes: usize,
    /// The maximum number of pairs of cells compared. A lookup in an index counts as one. All other work counts as the
    /// number of comparisons that take about as long.
    pub max_work: u64,
    /// The maximum number of values kept for later cells: values of registers, and components in the full arithmetic.
    pub max_kept: u64,
    /// Whether every generated cell makes all cells run again, instead of only itself.
    pub recompute: bool,
    /// The layers, or heads of layers, that write nothing: each is zero-ablated, for every cell and in every pass. It
    /// still attends.
    pub ablated: BTreeSet<ProductionId>,
    /// Flags with which the caller cancels the run, from any thread. One is enough, and the run stops within tens of
    /// thousands of comparisons.
    pub cancelled: Vec<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether the caller has cancelled the run.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.iter().any(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether one of these heads is ablated.
    pub(crate) fn ablates(&self, heads: &Range<ProductionId>) -> bool {
        self.ablated.range(heads.clone()).next().is_some()
    }

    /// No limits.
    pub(crate) fn unlimited() -> Self {
        Self {
            max_new: 0,
            stop: None,
            max_passes: usize::MAX,
            max_work: u64::MAX,
            max_kept: u64::MAX,
            recompute: false,
            ablated: BTreeSet::new(),
            cancelled: Vec::new(),
        }
    }
}

//! When a run stops, whatever its program and prompt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::vocabulary::ValueId;

/// When to stop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The bound on the continuation's length.
    pub max_new: usize,
    /// The symbol that ends a continuation; none where the vocabulary does not hold it.
    pub stop: Option<ValueId>,
    /// The bound on the passes of one repeat block.
    pub max_passes: usize,
    /// The bound on the pairs of cells that are compared, where an index compares a cell with one other. Whatever else a
    /// machine does counts as so many comparisons as take about as long.
    pub max_work: u64,
    /// The bound on the values that are kept for later cells: those of registers, and in the full arithmetic components.
    pub max_kept: u64,
    /// Whether every generated cell makes all cells run again, instead of itself only.
    pub recompute: bool,
    /// Set by the caller, from any thread, to end the run soon: within some ten thousand comparisons.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether the caller no longer wants the answer.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
impl Limits {
    pub(crate) fn unbounded() -> Self {
        let (max_work, max_kept) = (u64::MAX, u64::MAX);
        Self { max_new: 0, stop: None, max_passes: usize::MAX, max_work, max_kept, recompute: false, cancelled: None }
    }
}

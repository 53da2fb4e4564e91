//! When a run stops, whatever its program and prompt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::machine::RunError;
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
    /// The bound on the pairs of cells that are compared, where an index compares a cell with one other.
    pub max_work: u64,
    /// The bound on the values that are kept for later cells: those of registers, and in the full arithmetic components.
    pub max_kept: u64,
    /// Whether every generated cell makes all cells run again, instead of itself only.
    pub recompute: bool,
    /// Set by the caller, from any thread, to end the run at the next layer.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether the caller no longer wants the answer.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// What a run has cost so far.
#[derive(Debug)]
pub(crate) struct Meter<'l> {
    limits: &'l Limits,
    work: u64,
    kept: u64,
}

impl<'l> Meter<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self { limits, work: 0, kept: 0 }
    }

    /// Before a layer in which so many cells are each compared with so many.
    pub(crate) fn layer(&mut self, cells: usize, compared: usize) -> Result<(), RunError> {
        self.work += cells as u64 * compared as u64;
        if self.limits.is_cancelled() {
            Err(RunError::Cancelled)
        } else if self.work > self.limits.max_work {
            Err(RunError::TooMuchWork { max_work: self.limits.max_work })
        } else {
            Ok(())
        }
    }

    /// Before so many values are kept.
    pub(crate) fn keep(&mut self, values: usize) -> Result<(), RunError> {
        self.kept += values as u64;
        if self.kept > self.limits.max_kept {
            return Err(RunError::TooMuchKept { max_kept: self.limits.max_kept });
        }
        Ok(())
    }

    /// What was kept is gone.
    pub(crate) fn forget(&mut self) {
        self.kept = 0;
    }
}

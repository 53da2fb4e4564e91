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

/// What a run has cost so far.
#[derive(Debug)]
pub(crate) struct Meter<'l> {
    limits: &'l Limits,
    work: u64,
    /// The work at the last look at the flag.
    looked: u64,
    kept: u64,
}

impl<'l> Meter<'l> {
    /// The most comparisons to count at a time, at least two of which go between two looks at the flag.
    pub(crate) const AT_ONCE: usize = 1 << 15;

    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self { limits, work: 0, looked: 0, kept: 0 }
    }

    /// Counts comparisons, up to [`Meter::AT_ONCE`].
    #[inline]
    pub(crate) fn compared(&mut self, comparisons: usize) -> Result<(), RunError> {
        debug_assert!(comparisons <= Self::AT_ONCE, "{comparisons} comparisons without a look");
        self.work += comparisons as u64;
        if self.work > self.limits.max_work || self.work - self.looked >= Self::AT_ONCE as u64 {
            self.look()
        } else {
            Ok(())
        }
    }

    /// Counts what takes as long as so many comparisons, however many.
    pub(crate) fn worked(&mut self, comparisons: usize) -> Result<(), RunError> {
        for _ in 0..comparisons / Self::AT_ONCE {
            self.compared(Self::AT_ONCE)?;
        }
        self.compared(comparisons % Self::AT_ONCE)
    }

    /// Looks whether the run may go on.
    #[inline(never)]
    pub(crate) fn look(&mut self) -> Result<(), RunError> {
        #[cfg(test)]
        tests::LONGEST.with(|longest| longest.set(longest.get().max(self.work - self.looked)));
        self.looked = self.work;
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

#[cfg(test)]
impl Limits {
    pub(crate) fn unbounded() -> Self {
        let (max_work, max_kept) = (u64::MAX, u64::MAX);
        Self { max_new: 0, stop: None, max_passes: usize::MAX, max_work, max_kept, recompute: false, cancelled: None }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    thread_local! {
        /// The most comparisons between two looks of any meter on this thread.
        pub(super) static LONGEST: Cell<u64> = const { Cell::new(0) };
    }
}

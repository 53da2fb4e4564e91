//! Progress and cancellation of a task.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The progress of a task, shared by the task and its observer.
#[derive(Default)]
pub struct Progress {
    /// Set to stop the task.
    pub cancelled: Arc<AtomicBool>,
    done: AtomicUsize,
    expected: OnceLock<(usize, &'static str)>,
}

impl Progress {
    /// Sets the maximum number of items and their unit, such as `tests`. Only the first call counts.
    pub fn expect(&self, total: usize, unit: &'static str) {
        self.expected.get_or_init(|| (total, unit));
    }

    /// Sets the number of items that are done.
    pub fn reach(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// The number of items that are done.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// The maximum number of items and their unit, or `None` if it is unknown.
    pub fn expected(&self) -> Option<(usize, &'static str)> {
        self.expected.get().copied()
    }

    /// Whether the task is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

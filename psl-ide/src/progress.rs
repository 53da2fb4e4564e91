//! How far a piece of work is, and whether anyone still wants it.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Shared by the work and by whoever watches it.
#[derive(Default)]
pub struct Progress {
    /// Set when nobody wants the result any more.
    pub cancelled: Arc<AtomicBool>,
    done: AtomicUsize,
    expected: OnceLock<(usize, &'static str)>,
}

impl Progress {
    /// Says how many steps there will be at most, and of what, as in `tests`; the first call counts.
    pub fn expect(&self, total: usize, unit: &'static str) {
        self.expected.get_or_init(|| (total, unit));
    }

    /// Says how many steps are done.
    pub fn reach(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// How many steps are done.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// How many steps there will be at most, and of what, once that is known.
    pub fn expected(&self) -> Option<(usize, &'static str)> {
        self.expected.get().copied()
    }

    /// Whether nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

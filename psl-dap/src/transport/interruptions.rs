//! Requests that interrupt a session that is moving to its next stop.
//!
//! Invariant: work is cancelled while such a request waits for its answer, and for good once the client has gone.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

/// The interruptions of one client.
pub struct Interruptions {
    /// The number of interruptions that have arrived and are not answered yet.
    waiting: AtomicUsize,
    cancelled: Arc<AtomicBool>,
}

impl Interruptions {
    /// Creates the interruptions of work that ends when `cancelled` is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Self {
        Self { waiting: AtomicUsize::new(0), cancelled }
    }

    /// Cancels the work until this interruption is taken.
    pub fn arrive(&self) {
        self.waiting.fetch_add(1, SeqCst);
        self.cancelled.store(true, SeqCst);
    }

    /// Takes an interruption that has arrived: its work has ended.
    pub fn take(&self) {
        if self.waiting.fetch_sub(1, SeqCst) == 1 {
            self.cancelled.store(false, SeqCst);
            // Another may have arrived in between.
            if self.waiting.load(SeqCst) > 0 {
                self.cancelled.store(true, SeqCst);
            }
        }
    }
}

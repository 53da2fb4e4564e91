//! Requests that end a movement which has begun before them.
//!
//! Invariant: a movement is cancelled while such a request waits for its answer, and for good after the client's end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

/// The interruptions of the movements of one client.
pub struct Interruptions {
    /// The number of those that have arrived and are not answered yet.
    waiting: AtomicUsize,
    cancelled: Arc<AtomicBool>,
}

impl Interruptions {
    /// Creates the interruptions of movements that end when `cancelled` is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Self {
        Self { waiting: AtomicUsize::new(0), cancelled }
    }

    /// Ends the movement until this interruption is taken.
    pub fn arrive(&self) {
        self.waiting.fetch_add(1, SeqCst);
        self.cancelled.store(true, SeqCst);
    }

    /// Takes one that has arrived: what it interrupts has ended.
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

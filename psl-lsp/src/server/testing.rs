//! Reports whether tests are running, for clients that show it: when the first run begins and when the last one ends.

use std::sync::{Arc, Mutex, PoisonError};

use super::outbox::Outbox;
use crate::session::Session;

/// Counts the running tests.
#[derive(Clone)]
pub struct Testing {
    session: Arc<Session>,
    outbox: Outbox,
    running: Arc<Mutex<usize>>,
}

/// Work that runs tests. It ends when this is dropped.
pub struct TestRun(Testing);

impl Testing {
    /// Creates a counter at 0.
    pub fn new(session: Arc<Session>, outbox: Outbox) -> Self {
        Self { session, outbox, running: Arc::default() }
    }

    /// Records the start of work that runs tests. `None` if the client does not show it.
    pub fn begin(&self) -> Option<TestRun> {
        self.session.client().show_status.then(|| {
            self.count(|running| running + 1);
            TestRun(self.clone())
        })
    }

    fn count(&self, change: impl FnOnce(usize) -> usize) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = change(*running);
        self.outbox.set_testing(*running > 0);
    }
}

impl Drop for TestRun {
    fn drop(&mut self) {
        self.0.count(|running| running.saturating_sub(1));
    }
}

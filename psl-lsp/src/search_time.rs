//! The thread and the time of a search: one thread, so that the others are free for the editor.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use psl_search::Workers;

use crate::host::Host;

/// The time of a search on the caller's thread.
pub struct SearchTime<'h> {
    host: &'h dyn Host,
    end: Duration,
    cancelled: &'h AtomicBool,
}

impl<'h> SearchTime<'h> {
    /// Starts the time, which ends after `limit` or when `cancelled` is set.
    pub fn new(host: &'h dyn Host, limit: Duration, cancelled: &'h AtomicBool) -> Self {
        Self { host, end: host.clock().saturating_add(limit), cancelled }
    }
}

impl Workers for SearchTime<'_> {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).take_while(|_| !self.stopped()).for_each(job);
    }

    fn stopped(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.host.clock() >= self.end
    }

    fn tried(&self) {}
}

//! The threads and the time of a search, which its caller decides.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// The threads and the time of a search.
pub trait Workers: Sync {
    /// Calls `job` with each number below `count`, on any threads. It should start with the small ones.
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync));

    /// Whether the search should end. What it has found so far is its result.
    fn stopped(&self) -> bool;

    /// Notes that another program was tried.
    fn tried(&self);
}

/// The thread of the caller, without a limit.
#[derive(Debug)]
pub struct OneThread;

impl Workers for OneThread {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }

    fn stopped(&self) -> bool {
        false
    }

    fn tried(&self) {}
}

/// The numbers below `count` for which `test` returns a value, with that value, in order, until the search is stopped. Adds
/// the number of those tested to `tried`.
pub fn select<T: Send>(
    workers: &dyn Workers,
    count: usize,
    tried: &AtomicUsize,
    test: impl Fn(usize) -> Option<T> + Sync,
) -> Vec<(usize, T)> {
    let found = Mutex::new(Vec::new());
    workers.each(count, &|number| {
        if workers.stopped() {
            return;
        }
        if let Some(value) = test(number) {
            found.lock().unwrap_or_else(PoisonError::into_inner).push((number, value));
        }
        tried.fetch_add(1, Ordering::Relaxed);
        workers.tried();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(number, _)| *number);
    found
}

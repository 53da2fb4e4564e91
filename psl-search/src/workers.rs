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

/// The programs that are tried before the search looks whether it should go on.
const AT_ONCE: usize = 4_096;

/// The numbers below `count` that pass a test, in order. Ends early if the search is stopped. Adds the number of tests to `tried`.
pub fn select(
    workers: &dyn Workers,
    count: usize,
    tried: &AtomicUsize,
    test: impl Fn(usize) -> bool + Sync,
) -> Vec<usize> {
    parts(workers, count, tried, &test).flatten().collect()
}

/// Like [`select`], but ends soon after the first.
pub fn select_some(
    workers: &dyn Workers,
    count: usize,
    tried: &AtomicUsize,
    test: impl Fn(usize) -> bool + Sync,
) -> Vec<usize> {
    parts(workers, count, tried, &test).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Those of each [`AT_ONCE`] numbers that pass a test.
fn parts<'w>(
    workers: &'w dyn Workers,
    count: usize,
    tried: &'w AtomicUsize,
    test: &'w (impl Fn(usize) -> bool + Sync),
) -> impl Iterator<Item = Vec<usize>> + 'w {
    let starts = (0..count).step_by(AT_ONCE).take_while(|_| !workers.stopped());
    starts.map(move |start| part(workers, start, count, tried, test))
}

fn part(
    workers: &dyn Workers,
    start: usize,
    count: usize,
    tried: &AtomicUsize,
    test: &(impl Fn(usize) -> bool + Sync),
) -> Vec<usize> {
    let found = Mutex::new(Vec::new());
    workers.each(AT_ONCE.min(count - start), &|number| {
        if workers.stopped() {
            return;
        }
        if test(start + number) {
            found.lock().unwrap_or_else(PoisonError::into_inner).push(start + number);
        }
        tried.fetch_add(1, Ordering::Relaxed);
        workers.tried();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found
}

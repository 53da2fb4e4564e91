//! The threads and the time of a search, which its caller decides.

use std::{
    iter,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
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

/// The workers of a part of a search whose items do not count as programs.
pub struct Uncounted<'w>(pub &'w dyn Workers);

impl Workers for Uncounted<'_> {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        self.0.each(count, job);
    }

    fn stopped(&self) -> bool {
        self.0.stopped()
    }

    fn tried(&self) {}
}

/// The programs that are tried before the search looks whether it should go on.
pub const AT_ONCE: usize = 4_096;

/// Tries items, `at_once` at a time, and yields what the test makes of each, in order. Only so many items exist at the
/// same time. Ends early if the search is stopped. Adds the number of tests to `tried`.
pub fn tests<'w, T: Sync, R: Send>(
    workers: &'w dyn Workers,
    mut items: impl Iterator<Item = T> + 'w,
    at_once: usize,
    tried: &'w AtomicUsize,
    test: impl Fn(&T) -> Option<R> + Sync + 'w,
) -> impl Iterator<Item = Vec<R>> + 'w {
    iter::from_fn(move || {
        if workers.stopped() {
            return None;
        }
        let part: Vec<T> = items.by_ref().take(at_once).collect();
        (!part.is_empty()).then(|| results(workers, &part, tried, &test))
    })
}

fn results<T: Sync, R: Send>(
    workers: &dyn Workers,
    part: &[T],
    tried: &AtomicUsize,
    test: &(impl Fn(&T) -> Option<R> + Sync),
) -> Vec<R> {
    let found = Mutex::new(Vec::new());
    workers.each(part.len(), &|number| {
        let Some(item) = part.get(number).filter(|_| !workers.stopped()) else { return };
        if let Some(result) = test(item) {
            found.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
        tried.fetch_add(1, Ordering::Relaxed);
        workers.tried();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Asked for each of very many phrases, whether the search should go on. Looks at the clock only now and then.
pub fn going_on(workers: &dyn Workers) -> impl FnMut() -> bool {
    let mut looked = 0_u32;
    move || {
        looked = looked.wrapping_add(1);
        !looked.is_multiple_of(1_024) || !workers.stopped()
    }
}

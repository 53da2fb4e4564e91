//! Threads for each kind of work.
//!
//! Invariants: a document's work in a lane runs sequentially, so one large document never takes all threads of a lane.
//! A lane starts its threads on demand.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::super::job::Job;
use crate::uri::Url;

/// The threads and the queue for one kind of work.
#[derive(Clone)]
pub struct Lane(Arc<Shared>);

struct Shared {
    threads: usize,
    urgent: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// The documents that are being worked on.
    busy: Vec<Url>,
    started: usize,
    idle: usize,
}

impl Lane {
    /// Creates a lane with this many threads. They yield to other lanes unless they are urgent.
    pub fn new(threads: usize, urgent: bool) -> Self {
        Self(Arc::new(Shared { threads, urgent, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// Adds a job.
    pub fn push(&self, job: Job) {
        let mut state = self.0.lock();
        state.waiting.push_back(job);
        self.wake(state);
    }

    /// Adds a job in place of a waiting job for the same document.
    pub fn push_newest(&self, job: Job) {
        let mut state = self.0.lock();
        let same = state.waiting.iter_mut().find(|waiting| waiting.document == job.document);
        // The replaced job is dropped after the lock is released.
        let _outdated = if let Some(same) = same {
            Some(std::mem::replace(same, job))
        } else {
            state.waiting.push_back(job);
            None
        };
        self.wake(state);
    }

    fn wake(&self, mut state: MutexGuard<'_, State>) {
        // An idle thread may already be on its way to another waiting job.
        let start = state.idle < state.waiting.len() && state.started < self.0.threads;
        state.started += usize::from(start);
        drop(state);
        if start {
            let shared = Arc::clone(&self.0);
            thread::spawn(move || shared.serve());
        } else {
            self.0.changed.notify_one();
        }
    }

    /// Removes cancelled jobs.
    pub fn sweep(&self) {
        let mut state = self.0.lock();
        let (cancelled, waiting): (VecDeque<_>, _) = state.waiting.drain(..).partition(Job::is_cancelled);
        state.waiting = waiting;
        // The removed jobs are dropped after the lock is released.
        drop(state);
        drop(cancelled);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        if !self.urgent {
            yield_to_others();
        }
        loop {
            let job = self.take();
            let document = job.document.clone();
            if !job.is_cancelled() {
                // Jobs report their own failures; the lane continues.
                catch_unwind(AssertUnwindSafe(|| job.run())).ok();
            }
            if let Some(document) = document {
                self.lock().busy.retain(|busy| *busy != document);
                // Another thread may have skipped a job about the same document.
                self.changed.notify_one();
            }
        }
    }

    fn take(&self) -> Job {
        let mut state = self.lock();
        loop {
            let State { waiting, busy, .. } = &*state;
            let free = |job: &Job| job.document.as_ref().is_none_or(|document| !busy.contains(document));
            if let Some(job) = waiting.iter().position(free).and_then(|index| state.waiting.remove(index)) {
                state.busy.extend(job.document.clone());
                return job;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }
}

/// Lowers the priority of this thread.
pub fn yield_to_others() {
    // On Linux, niceness is per thread; elsewhere it is per process. If it cannot be raised, the priority stays.
    #[cfg(target_os = "linux")]
    rustix::process::nice(10).ok();
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, time::Duration};

    use super::*;

    #[test]
    fn jobs_run_in_parallel() {
        for _ in 0..100 {
            let lane = Lane::new(2, true);
            lane.push(Job::new(|| {}));
            while lane.0.lock().idle == 0 {
                thread::yield_now();
            }
            // The first job ends when the second has begun.
            let (begun, begins) = channel();
            let (done, is_done) = channel();
            lane.push(Job::new(move || done.send(begins.recv()).expect("somebody waits")));
            lane.push(Job::new(move || begun.send(()).expect("somebody waits")));
            assert_eq!(is_done.recv_timeout(Duration::from_mins(1)), Ok(Ok(())));
        }
    }
}

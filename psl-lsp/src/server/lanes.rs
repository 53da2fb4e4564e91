//! Threads for each kind of work, so that no kind waits for another.
//!
//! Invariants: a document's work in a lane runs sequentially, so one large document never takes all threads of a lane.
//! A lane starts its threads on demand.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use crate::{document::Document, routes::Latency, uri::Url};

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

/// The server's lanes.
#[derive(Clone)]
pub struct Lanes {
    /// Requests that a user waits for.
    pub cursor: Lane,
    /// Requests that the editor needs to draw the view.
    pub view: Lane,
    /// Diagnostics after an edit.
    pub checks: Lane,
    /// Runs that stop if they take too long.
    pub brief_runs: Lane,
    /// Requests that run tests.
    pub asked_tests: Lane,
    /// Tests in the background.
    pub tests: Lane,
    /// Searches for proposals in the background.
    pub searches: Lane,
    /// Runs and other commands.
    pub commands: Lane,
    /// Symbols of the workspace.
    pub symbols: Lane,
    /// Diagnostics of the workspace.
    pub workspace: Lane,
    /// Values to drop.
    discarded: Lane,
}

impl Lanes {
    /// Creates the lanes of a server.
    pub fn new() -> Self {
        Self {
            cursor: Lane::new(8, true),
            view: Lane::new(2, true),
            checks: Lane::new(2, true),
            brief_runs: Lane::new(2, false),
            asked_tests: Lane::new(2, false),
            tests: Lane::new(2, false),
            searches: Lane::new(1, false),
            commands: Lane::new(4, false),
            symbols: Lane::new(1, false),
            workspace: Lane::new(1, false),
            discarded: Lane::new(1, false),
        }
    }

    /// The lane for a latency class.
    pub fn of(&self, latency: Latency) -> &Lane {
        match latency {
            Latency::Cursor => &self.cursor,
            Latency::View => &self.view,
            Latency::BriefRun => &self.brief_runs,
            Latency::Tests => &self.asked_tests,
        }
    }

    /// Removes cancelled requests.
    pub fn sweep(&self) {
        let requests = [&self.cursor, &self.view, &self.brief_runs, &self.asked_tests, &self.commands, &self.symbols];
        requests.into_iter().chain([&self.workspace]).for_each(Lane::sweep);
    }

    /// Drops a version on another thread: freeing the facts about a long text takes milliseconds.
    pub fn discard(&self, document: Option<Arc<Document>>) {
        if document.is_some() {
            self.discarded.push(Job::new(move || drop(document)));
        }
    }
}

/// A piece of work.
pub struct Job {
    /// The document that it is about. A lane runs one job per document at a time.
    pub document: Option<Url>,
    /// Set when the job is cancelled. It does not start then.
    pub cancelled: Arc<AtomicBool>,
    /// The work.
    pub work: Box<dyn FnOnce() + Send>,
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

impl Job {
    /// Creates a job that is never cancelled.
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: None, cancelled: Arc::default(), work: Box::new(work) }
    }

    /// Creates a job about a document that is never cancelled.
    pub fn about(document: Url, work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: Some(document), ..Self::new(work) }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
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
            let Job { document, cancelled, work } = self.take();
            if !cancelled.load(Ordering::Relaxed) {
                // Jobs report their own failures; the lane continues.
                catch_unwind(AssertUnwindSafe(work)).ok();
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

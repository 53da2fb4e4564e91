//! Threads for each kind of work, so that none waits behind another kind.
//!
//! Invariants: a document's work in a lane goes on one piece after the other, so one large document never takes all threads of a
//! lane; and a lane's threads start when they are first needed.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use lsp_types::Url;

use crate::{document::Document, routes::Latency};

/// One kind of work.
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
    /// The documents whose work goes on.
    busy: Vec<Url>,
    started: usize,
    idle: usize,
}

/// The server's lanes.
#[derive(Clone)]
pub struct Lanes {
    /// For requests that a person waits for.
    pub cursor: Lane,
    /// For what the editor paints with.
    pub view: Lane,
    /// For diagnostics after an edit.
    pub checks: Lane,
    /// For runs that are given up when they take long.
    pub brief_runs: Lane,
    /// For requests that run the tests.
    pub asked_tests: Lane,
    /// For tests that nobody has asked to run.
    pub tests: Lane,
    /// For runs and other commands.
    pub commands: Lane,
    /// For symbols of the whole workspace.
    pub symbols: Lane,
    /// For diagnostics of the whole workspace.
    pub workspace: Lane,
    /// For taking apart what is not needed any more.
    discarded: Lane,
}

impl Lanes {
    /// The lanes of a server.
    pub fn new() -> Self {
        Self {
            cursor: Lane::new(8, true),
            view: Lane::new(2, true),
            checks: Lane::new(2, true),
            brief_runs: Lane::new(2, false),
            asked_tests: Lane::new(2, false),
            tests: Lane::new(2, false),
            commands: Lane::new(4, false),
            symbols: Lane::new(1, false),
            workspace: Lane::new(1, false),
            discarded: Lane::new(1, false),
        }
    }

    /// The lane of requests of a latency class.
    pub fn of(&self, latency: Latency) -> &Lane {
        match latency {
            Latency::Cursor => &self.cursor,
            Latency::View => &self.view,
            Latency::BriefRun => &self.brief_runs,
            Latency::Tests => &self.asked_tests,
        }
    }

    /// Forgets the requests that nobody wants any more.
    pub fn sweep(&self) {
        let requests = [&self.cursor, &self.view, &self.brief_runs, &self.asked_tests, &self.commands, &self.symbols];
        requests.into_iter().chain([&self.workspace]).for_each(Lane::sweep);
    }

    /// Drops a version elsewhere: to take apart what is known of a long text takes milliseconds, and the next message waits.
    pub fn discard(&self, document: Option<Arc<Document>>) {
        if document.is_some() {
            self.discarded.push(Job::new(move || drop(document)));
        }
    }
}

/// A piece of work.
pub struct Job {
    /// The document that it is about: nothing else about it goes on beside it in its lane.
    pub document: Option<Url>,
    /// Set when nobody wants it any more: it is not begun then.
    pub cancelled: Arc<AtomicBool>,
    /// The work.
    pub work: Box<dyn FnOnce() + Send>,
}

impl Lane {
    /// A lane of so many threads. They yield to those of other lanes unless they are urgent.
    pub fn new(threads: usize, urgent: bool) -> Self {
        Self(Arc::new(Shared { threads, urgent, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// Has a piece of work done.
    pub fn push(&self, job: Job) {
        let mut state = self.0.lock();
        state.waiting.push_back(job);
        self.wake(state);
    }

    /// Has a piece of work done in place of whatever waits for the same document.
    pub fn push_newest(&self, job: Job) {
        let mut state = self.0.lock();
        let same = state.waiting.iter_mut().find(|waiting| waiting.document == job.document);
        // What it holds is dropped where the lock is free again.
        let _outdated = if let Some(same) = same {
            Some(std::mem::replace(same, job))
        } else {
            state.waiting.push_back(job);
            None
        };
        self.wake(state);
    }

    fn wake(&self, mut state: MutexGuard<'_, State>) {
        // Of the idle threads, each may be on its way to other work that waits.
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

    /// Forgets the work that nobody wants any more.
    pub fn sweep(&self) {
        let mut state = self.0.lock();
        let (cancelled, waiting): (VecDeque<_>, _) = state.waiting.drain(..).partition(Job::is_cancelled);
        state.waiting = waiting;
        // What they hold is dropped where the lock is free again.
        drop(state);
        drop(cancelled);
    }
}

impl Job {
    /// Work that is always wanted.
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: None, cancelled: Arc::default(), work: Box::new(work) }
    }

    /// Work about a document that is always wanted.
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
                // The work that fails answers for itself; the lane goes on.
                catch_unwind(AssertUnwindSafe(work)).ok();
            }
            if let Some(document) = document {
                self.lock().busy.retain(|busy| *busy != document);
                // Another thread may have passed over work about it.
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

/// Gives this thread's time to others that want it.
pub fn yield_to_others() {
    // On Linux, niceness belongs to a thread; elsewhere to the whole process. One that may not be nicer goes on as it is.
    #[cfg(target_os = "linux")]
    rustix::process::nice(10).ok();
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, time::Duration};

    use super::*;

    #[test]
    fn work_that_comes_at_once_is_done_side_by_side() {
        for _ in 0..100 {
            let lane = Lane::new(2, true);
            lane.push(Job::new(|| {}));
            while lane.0.lock().idle == 0 {
                thread::yield_now();
            }
            // The first is done when the second has begun.
            let (begun, begins) = channel();
            let (done, is_done) = channel();
            lane.push(Job::new(move || done.send(begins.recv()).expect("somebody waits")));
            lane.push(Job::new(move || begun.send(()).expect("somebody waits")));
            assert_eq!(is_done.recv_timeout(Duration::from_mins(1)), Ok(Ok(())));
        }
    }
}

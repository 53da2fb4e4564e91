//! The server in a browser's worker, which has one thread: the worker passes in messages, and lets the server work
//! between them.
//!
//! Invariant: handling a message computes nothing, as in a process, so that newer messages overtake waiting work.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{
    backend::Backend,
    browser::host::Page,
    calls::{Calls, Next},
    event::Event,
    message::Malformed,
    outbox::Outbox,
    service::Service,
};
use crate::session::Session;

/// Time between progress reports.
const TICK: Duration = Duration::from_millis(200);

/// A server in a worker.
pub struct Worker {
    session: Arc<Session>,
    backend: Backend,
    calls: Calls,
    events: UnboundedReceiver<Event>,
    /// The messages to the client.
    pub outbox: Outbox,
    /// Whether the worker also does what may take long: runs, tests and searches.
    runs: bool,
    next_tick: Option<Duration>,
}

impl Worker {
    /// Starts a server. Only with `runs` it does what may take long.
    pub fn new(runs: bool) -> Self {
        let session = Arc::new(Session::new(Arc::new(Page)));
        let outbox = Outbox::default();
        let (sender, events) = unbounded_channel();
        let router = Backend::router(Service::new(Arc::clone(&session), outbox.clone(), sender, ()));
        let backend = router.inner().clone();
        let calls = Calls::new(router);
        Self { session, backend, calls, events, outbox, runs, next_tick: None }
    }

    /// Handles a message of the client. Returns whether the session goes on.
    pub fn receive(&mut self, message: &str) -> bool {
        let message = serde_json::from_str::<Value>(message)
            .map_err(|error| Malformed { why: error.to_string(), may_hide_a_change: true });
        let next = self.calls.take(message);
        self.pass_on();
        next == Next::Message
    }

    /// Does one piece of work. Returns whether there was one.
    pub fn work(&mut self) -> bool {
        self.do_due_work();
        let job = self.backend.lock().lanes.next(self.runs);
        let found = job.is_some();
        if let Some(job) = job.filter(|job| !job.is_cancelled()) {
            job.run();
        }
        self.pass_on();
        found
    }

    /// The time until work is due, if any is.
    pub fn wait(&self) -> Option<Duration> {
        let next_work = self.backend.lock().next_work();
        let due = [next_work, self.next_tick].into_iter().flatten().min()?;
        Some(due.saturating_sub(self.session.now()))
    }

    fn do_due_work(&mut self) {
        let now = self.session.now();
        let mut service = self.backend.lock();
        self.next_tick = service.open.has_work().then(|| self.next_tick.unwrap_or(now + TICK));
        if self.next_tick.is_some_and(|tick| tick <= now) {
            service.tick();
            self.next_tick = None;
        }
        service.do_due_work();
    }

    /// Passes on the results of the work.
    fn pass_on(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.backend.lock().event(event);
        }
    }
}

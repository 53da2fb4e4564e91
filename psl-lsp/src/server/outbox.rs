//! The queue of messages to the client.
//!
//! Invariant: a client that does not read needs bounded memory. The queue holds only the newest diagnostics of a
//! document, a limited number of messages for users, and the test status once. No answer is computed while the queue is
//! too large.

#[cfg(feature = "native")]
use std::time::{Duration, Instant};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use gen_lsp_types::PublishDiagnosticsNotification;

use super::{message, spelling};
use crate::{
    to_proto::{self, Status},
    uri::Url,
};

/// Number of queued bytes above which no answers are computed.
const FULL: usize = 1 << 24;
/// Maximum number of queued messages for users.
const NOTICES: usize = 100;

/// The queue of messages.
#[derive(Clone, Default)]
pub struct Outbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    queue: VecDeque<Queued>,
    /// The newest diagnostics of the documents in the queue.
    diagnostics: HashMap<Url, Published>,
    /// The documents with diagnostics that were sent and not cleared.
    shown: HashSet<Url>,
    /// The number of queued bytes, without diagnostics.
    bytes: usize,
    notices: usize,
    testing: Testing,
    /// Whether a message is being written.
    #[cfg(feature = "native")]
    writing: bool,
    /// Whether the client has stopped reading.
    closed: bool,
}

enum Queued {
    Message(String),
    Notice(String),
    Diagnostics(Url),
    Testing,
}

/// Whether tests are running, and whether that was last reported to the client.
#[derive(Default)]
struct Testing {
    now: bool,
    reported: bool,
}

/// A message that publishes or clears diagnostics.
struct Published {
    message: String,
    withdraws: bool,
}

impl Outbox {
    /// Queues a message.
    pub fn send(&self, message: String) {
        self.0.lock().put(Queued::Message(message), &self.0.changed);
    }

    /// Queues a message for users unless too many are queued.
    pub fn notify(&self, message: String) {
        let mut waiting = self.0.lock();
        if waiting.notices < NOTICES {
            waiting.put(Queued::Notice(message), &self.0.changed);
        }
    }

    /// Queues a document's diagnostics in place of queued ones; `message` publishes them.
    pub fn publish(&self, document: Url, message: String) {
        self.0.lock().publish(document, Published { message, withdraws: false }, &self.0.changed);
    }

    /// Clears a document's diagnostics if any were sent.
    pub fn withdraw(&self, document: Url, version: Option<i32>) {
        let mut waiting = self.0.lock();
        if waiting.shown.contains(&document) {
            let nothing = to_proto::publication(document.clone(), version, Vec::new());
            let message = message::tell::<PublishDiagnosticsNotification>(&nothing);
            waiting.publish(document, Published { message, withdraws: true }, &self.0.changed);
        } else if waiting.diagnostics.remove(&document).is_some() {
            waiting.queue.retain(|entry| !matches!(entry, Queued::Diagnostics(waiting) if *waiting == document));
        }
    }

    /// Reports whether tests are running if that has changed.
    pub fn set_testing(&self, testing: bool) {
        let mut waiting = self.0.lock();
        let waits = waiting.testing.now != waiting.testing.reported;
        waiting.testing.now = testing;
        match (waits, testing != waiting.testing.reported) {
            (false, true) => waiting.put(Queued::Testing, &self.0.changed),
            (true, false) => waiting.queue.retain(|entry| !matches!(entry, Queued::Testing)),
            _ => {}
        }
    }

    /// The documents with diagnostics that were sent.
    pub fn shown(&self) -> Vec<Url> {
        let waiting = self.0.lock();
        waiting.shown.iter().chain(waiting.diagnostics.keys()).cloned().collect()
    }

    /// Whether the client has yet to read some messages.
    pub fn has_unread(&self) -> bool {
        !self.0.lock().queue.is_empty()
    }

    /// Whether the queue is so large that the server should stop reading.
    #[cfg(feature = "native")]
    pub fn is_overfull(&self) -> bool {
        self.0.lock().bytes > 2 * FULL
    }

    /// Waits until the queue has room for answers.
    pub fn wait_for_room(&self) {
        let mut waiting = self.0.lock();
        while waiting.bytes > FULL {
            waiting = self.0.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the next message. `None` if nobody reads any more.
    #[cfg(feature = "native")]
    pub fn wait(&self) -> Option<String> {
        let mut waiting = self.0.lock();
        waiting.writing = false;
        // Wakes those who wait for room or for an empty queue.
        self.0.changed.notify_all();
        loop {
            if let Some(message) = waiting.next() {
                waiting.writing = true;
                return Some(message);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.0.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Drops all messages from now on, since nobody reads any more.
    #[cfg(feature = "native")]
    pub fn close(&self) {
        *self.0.lock() = Waiting { closed: true, ..Waiting::default() };
        self.0.changed.notify_all();
    }

    /// Waits until the queue is empty or the deadline has passed.
    #[cfg(feature = "native")]
    pub fn flush(&self, deadline: Instant) {
        let mut waiting = self.0.lock();
        while waiting.writing || !waiting.queue.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return;
            }
            waiting = self.0.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the next message, if there is one.
    #[cfg(not(feature = "native"))]
    pub fn take(&self) -> Option<String> {
        self.0.lock().next()
    }
}

impl Waiting {
    fn put(&mut self, entry: Queued, changed: &Condvar) {
        if self.closed {
            return;
        }
        match &entry {
            Queued::Message(message) => self.bytes += message.len(),
            Queued::Notice(message) => {
                self.bytes += message.len();
                self.notices += 1;
            }
            Queued::Diagnostics(_) | Queued::Testing => {}
        }
        self.queue.push_back(entry);
        changed.notify_all();
    }

    fn publish(&mut self, document: Url, published: Published, changed: &Condvar) {
        if !self.closed && self.diagnostics.insert(document.clone(), published).is_none() {
            self.put(Queued::Diagnostics(document), changed);
        }
    }

    /// Takes the next message, with the client's spelling of URIs.
    fn next(&mut self) -> Option<String> {
        self.take().map(|message| spelling::write(&message).into_owned())
    }

    fn take(&mut self) -> Option<String> {
        match self.queue.pop_front()? {
            Queued::Message(message) => {
                self.bytes -= message.len();
                Some(message)
            }
            Queued::Notice(message) => {
                self.notices -= 1;
                self.bytes -= message.len();
                Some(message)
            }
            Queued::Testing => {
                self.testing.reported = self.testing.now;
                Some(message::tell::<Status>(&to_proto::status(self.testing.now)))
            }
            Queued::Diagnostics(document) => {
                let Published { message, withdraws } = self.diagnostics.remove(&document)?;
                if withdraws {
                    self.shown.remove(&document);
                } else {
                    self.shown.insert(document);
                }
                Some(message)
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_status_is_queued_once_and_only_if_changed() {
        // No writer takes messages from the outbox.
        let outbox = Outbox::default();
        let reports = |testing: &[bool]| {
            for testing in testing {
                outbox.set_testing(*testing);
            }
            let mut waiting = outbox.0.lock();
            let reports: Vec<_> = std::iter::from_fn(|| waiting.take()).collect();
            reports.iter().map(|message| message.contains("true")).collect::<Vec<_>>()
        };
        assert_eq!(reports(&[true]), [true]);
        assert_eq!(reports(&[true, false, true, true]), [false; 0]);
        assert_eq!(reports(&[false, true, false]), [false]);
        assert_eq!(reports(&[true, false].repeat(1_000)), [false; 0]);
        assert_eq!(reports(&[true, false, true]), [true]);
    }
}

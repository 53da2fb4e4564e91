//! What waits to be written to the client.
//!
//! Invariant: a client that does not read costs bounded memory. Of a document only the newest diagnostics wait, of the messages
//! for people only the last ones, whether tests run waits once, and no answer is computed while too much waits.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use lsp_types::{Url, notification::PublishDiagnostics};

use super::{
    framing,
    log::{Log, Peer},
    message,
};
use crate::to_proto::{self, Status};

/// No more answers are computed while this many bytes wait.
const FULL: usize = 1 << 24;
/// Of what only informs people, this many messages may wait.
const NOTICES: usize = 100;

/// What waits to be written; written on a thread of its own.
#[derive(Clone)]
pub struct Outbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    queue: VecDeque<Entry>,
    /// The newest diagnostics of the documents in the queue.
    diagnostics: HashMap<Url, Published>,
    /// The documents of which the client was sent diagnostics that were not taken away again.
    shown: HashSet<Url>,
    /// How many bytes of messages wait, diagnostics not counted.
    bytes: usize,
    notices: usize,
    testing: Testing,
    writing: bool,
    /// Nobody reads any more.
    closed: bool,
}

enum Entry {
    Message(String),
    Notice(String),
    Diagnostics(Url),
    Testing,
}

/// Whether tests run, and whether the client was told last that they do.
#[derive(Default)]
struct Testing {
    now: bool,
    told: bool,
}

/// A message with diagnostics, or one that takes them away.
struct Published {
    message: String,
    withdraws: bool,
}

impl Outbox {
    /// Writes to standard output.
    pub fn start(log: Log) -> Self {
        let shared = Arc::<Shared>::default();
        let writer = Arc::clone(&shared);
        thread::spawn(move || writer.write(&log));
        Self(shared)
    }

    /// Has a message written.
    pub fn send(&self, message: String) {
        self.0.lock().put(Entry::Message(message), &self.0.changed);
    }

    /// Has a message for people written, unless too many of them wait.
    pub fn notify(&self, message: String) {
        let mut waiting = self.0.lock();
        if waiting.notices < NOTICES {
            waiting.put(Entry::Notice(message), &self.0.changed);
        }
    }

    /// Has a document's diagnostics written, in place of those that wait; `message` publishes them.
    pub fn publish(&self, document: Url, message: String) {
        self.0.lock().publish(document, Published { message, withdraws: false }, &self.0.changed);
    }

    /// Takes a document's diagnostics away, where the client was sent any.
    pub fn withdraw(&self, document: Url, version: Option<i32>) {
        let mut waiting = self.0.lock();
        if waiting.shown.contains(&document) {
            let nothing = to_proto::publication(document.clone(), version, Vec::new());
            let message = message::tell::<PublishDiagnostics>(&nothing);
            waiting.publish(document, Published { message, withdraws: true }, &self.0.changed);
        } else if waiting.diagnostics.remove(&document).is_some() {
            waiting.queue.retain(|entry| !matches!(entry, Entry::Diagnostics(waiting) if *waiting == document));
        }
    }

    /// Tells whether tests run, where the client was told something else.
    pub fn set_testing(&self, testing: bool) {
        let mut waiting = self.0.lock();
        let waits = waiting.testing.now != waiting.testing.told;
        waiting.testing.now = testing;
        match (waits, testing != waiting.testing.told) {
            (false, true) => waiting.put(Entry::Testing, &self.0.changed),
            (true, false) => waiting.queue.retain(|entry| !matches!(entry, Entry::Testing)),
            _ => {}
        }
    }

    /// The documents of which the client was sent diagnostics.
    pub fn shown(&self) -> Vec<Url> {
        let waiting = self.0.lock();
        waiting.shown.iter().chain(waiting.diagnostics.keys()).cloned().collect()
    }

    /// Whether the client has not read yet all that was written for it.
    pub fn is_behind(&self) -> bool {
        !self.0.lock().queue.is_empty()
    }

    /// Whether so much waits that the client had better read before it says more.
    pub fn is_overfull(&self) -> bool {
        self.0.lock().bytes > 2 * FULL
    }

    /// Waits until there is room for answers.
    pub fn wait_for_room(&self) {
        let mut waiting = self.0.lock();
        while waiting.bytes > FULL {
            waiting = self.0.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all is written, or this moment has come.
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
}

impl Waiting {
    fn put(&mut self, entry: Entry, changed: &Condvar) {
        if self.closed {
            return;
        }
        match &entry {
            Entry::Message(message) => self.bytes += message.len(),
            Entry::Notice(message) => {
                self.bytes += message.len();
                self.notices += 1;
            }
            Entry::Diagnostics(_) | Entry::Testing => {}
        }
        self.queue.push_back(entry);
        changed.notify_all();
    }

    fn publish(&mut self, document: Url, published: Published, changed: &Condvar) {
        if !self.closed && self.diagnostics.insert(document.clone(), published).is_none() {
            self.put(Entry::Diagnostics(document), changed);
        }
    }

    fn take(&mut self) -> Option<String> {
        match self.queue.pop_front()? {
            Entry::Message(message) => {
                self.bytes -= message.len();
                Some(message)
            }
            Entry::Notice(message) => {
                self.notices -= 1;
                self.bytes -= message.len();
                Some(message)
            }
            Entry::Testing => {
                self.testing.told = self.testing.now;
                Some(message::tell::<Status>(&to_proto::status(self.testing.now)))
            }
            Entry::Diagnostics(document) => {
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

    fn write(&self, log: &Log) {
        let mut output = io::stdout().lock();
        while let Some(message) = self.next() {
            log.write(Peer::Server, Ok(&message));
            if write(&mut output, &message).is_err() {
                break;
            }
        }
        // With nobody left to read, the input ends too, and with it the process.
        *self.lock() = Waiting { closed: true, ..Waiting::default() };
        self.changed.notify_all();
    }

    fn next(&self) -> Option<String> {
        let mut waiting = self.lock();
        waiting.writing = false;
        // Those who wait for room, or for the end of it.
        self.changed.notify_all();
        loop {
            if let Some(message) = waiting.take() {
                waiting.writing = true;
                return Some(message);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn write(output: &mut impl Write, message: &str) -> io::Result<()> {
    output.write_all(framing::header(message.len()).as_bytes())?;
    output.write_all(message.as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_tests_run_waits_once_and_is_told_where_it_has_changed() {
        // Nobody writes.
        let outbox = Outbox(Arc::default());
        let told = |testing: &[bool]| {
            for testing in testing {
                outbox.set_testing(*testing);
            }
            let mut waiting = outbox.0.lock();
            let told: Vec<_> = std::iter::from_fn(|| waiting.take()).collect();
            told.iter().map(|message| message.contains("true")).collect::<Vec<_>>()
        };
        assert_eq!(told(&[true]), [true]);
        assert_eq!(told(&[true, false, true, true]), [false; 0]);
        assert_eq!(told(&[false, true, false]), [false]);
        assert_eq!(told(&[true, false].repeat(1_000)), [false; 0]);
        assert_eq!(told(&[true, false, true]), [true]);
    }
}

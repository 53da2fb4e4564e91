//! Writes the messages to standard output on a separate thread.

use std::{
    io,
    sync::PoisonError,
    thread,
    time::{Duration, Instant},
};

use psl_host::framing::write;

use super::{Outbox, Waiting};
use crate::server::process::log::{Log, Peer};

impl Outbox {
    /// Starts to write the messages to standard output.
    pub fn start(&self, log: Log) {
        let writer = self.clone();
        thread::spawn(move || writer.write(&log));
    }

    /// Waits until the queue is empty or the deadline has passed.
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

    fn write(&self, log: &Log) {
        let mut output = io::stdout().lock();
        while let Some(message) = self.wait() {
            log.write(Peer::Server, Ok(&message));
            if write(&mut output, &message).is_err() {
                break;
            }
        }
        // Without a reader, the input ends too, and with it the process.
        *self.0.lock() = Waiting { closed: true, ..Waiting::default() };
        self.0.changed.notify_all();
    }

    /// Waits for the next message. `None` if nobody reads any more.
    fn wait(&self) -> Option<String> {
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
}

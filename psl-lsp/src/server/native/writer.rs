//! Writes the messages to the client to standard output, on a separate thread.

use std::{io, thread};

use psl_host::framing::write;

use super::{
    super::outbox::Outbox,
    log::{Log, Peer},
};

/// Starts to write.
pub fn start(outbox: Outbox, log: Log) {
    thread::spawn(move || {
        let mut output = io::stdout().lock();
        while let Some(message) = outbox.wait() {
            log.write_message(Peer::Server, Ok(&message));
            if write(&mut output, &message).is_err() {
                break;
            }
        }
        // Without a reader, the input ends too, and with it the process.
        outbox.close();
    });
}

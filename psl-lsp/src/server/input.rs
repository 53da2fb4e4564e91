//! The client's messages, read on a thread of their own.

use std::{
    io::{self, BufReader},
    thread,
};

use crossbeam_channel::{Receiver, bounded};
use serde_json::Value;

use super::{
    framing::{Frames, Malformed},
    log::{Log, Peer},
};

/// How many messages may wait to be handled; more stay in the pipe.
const WAITING: usize = 256;

/// A message, or what stands in its place.
pub type Message = Result<Value, Malformed>;

/// Reads standard input; the channel ends with it.
pub fn start(log: Log) -> Receiver<Message> {
    let (to, from) = bounded(WAITING);
    thread::spawn(move || {
        for message in Frames::new(BufReader::with_capacity(1 << 16, io::stdin())) {
            log.write(
                Peer::Client,
                message
                    .as_ref()
                    .map(|message| message as &dyn std::fmt::Display)
                    .map_err(|malformed| malformed.why.as_str()),
            );
            if to.send(message).is_err() {
                return;
            }
        }
    });
    from
}

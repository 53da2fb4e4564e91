//! The client's messages, read on a separate thread.

use std::{
    io::{self, BufReader},
    thread,
};

use psl_host::framing::{self, Frames};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, channel};

use super::{
    super::message::Malformed,
    log::{Log, Peer},
};

/// Maximum number of messages to hold. More stay in the pipe.
const WAITING: usize = 256;

/// The beginning of the methods that change a text.
const CHANGES: &str = "textDocument/did";

/// A message, or malformed bytes.
pub type Message = Result<Value, Malformed>;

/// Reads standard input. The channel closes at its end.
pub fn start(log: Log) -> Receiver<Message> {
    let (to, from) = channel(WAITING);
    thread::spawn(move || {
        for message in Frames::new(BufReader::with_capacity(1 << 16, io::stdin()), Some(CHANGES)) {
            log.write_message(
                Peer::Client,
                message
                    .as_ref()
                    .map(|message| message as &dyn std::fmt::Display)
                    .map_err(|malformed| malformed.why.as_str()),
            );
            let message =
                message.map_err(|framing::Malformed { why, may_hide_a_change }| Malformed { why, may_hide_a_change });
            if to.blocking_send(message).is_err() {
                return;
            }
        }
    });
    from
}

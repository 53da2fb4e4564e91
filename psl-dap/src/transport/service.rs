//! Reads requests and answers them in order.
//!
//! Invariant: a request to pause, restart or end reaches a run that does not end. The thread that reads never waits for
//! the one that answers, except for a client that sends far more requests than are answered.

use std::{
    io::{BufReader, Read, Write},
    sync::{Arc, mpsc::sync_channel},
    thread,
};

use psl_host::framing::Frames;
use psl_program::Progress;
use serde_json::from_value;

use super::{
    interruptions::Interruptions,
    protocol::{Client, Message},
};
use crate::adapter::Adapter;

/// The maximum number of requests that wait. More stay in the pipe.
const WAITING: usize = 256;

/// Serves a client until it disconnects or ends its side.
pub fn serve(input: impl Read + Send + 'static, output: Box<dyn Write + Send>) {
    let client = Arc::new(Client::new(output));
    let progress = Arc::new(Progress::default());
    let (to, requests) = sync_channel::<Message>(WAITING);
    let interruptions = Arc::new(Interruptions::new(Arc::clone(&progress.cancelled)));
    let (reading, interrupted) = (Arc::clone(&client), Arc::clone(&interruptions));
    thread::spawn(move || {
        for message in Frames::new(BufReader::new(input), None) {
            let request = message.map_err(|malformed| malformed.why);
            match request.and_then(|message| from_value::<Message>(message).map_err(|error| error.to_string())) {
                Ok(request) => {
                    if interrupts(&request.command) {
                        interrupted.arrive();
                    }
                    if to.send(request).is_err() {
                        return;
                    }
                }
                Err(why) => reading.print("important", &format!("psl dap: skipped a malformed message: {why}\n")),
            }
        }
        // The client has gone.
        interrupted.arrive();
    });
    let mut adapter = Adapter::new(Arc::clone(&client), progress);
    for request in requests {
        if interrupts(&request.command) {
            interruptions.take();
        }
        adapter.handle(&request);
        if adapter.has_ended() || client.is_gone() {
            return;
        }
    }
}

/// Whether a request interrupts a session on its way to a stop, even if its arguments are wrong.
fn interrupts(command: &str) -> bool {
    matches!(command, "pause" | "restart" | "terminate" | "disconnect")
}

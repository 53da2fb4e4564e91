//! `psl lsp --log FILE`: every message of a session, one JSON object per line, as it was read or written.

use std::{
    fmt::Display,
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use serde_json::json;

/// The log of a session, if there is one.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Open>>);

struct Open {
    file: Mutex<File>,
    start: Instant,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug)]
pub enum Peer {
    /// The editor.
    Client,
    /// This process.
    Server,
}

impl Log {
    /// Writes to a new file, or truncates an existing one.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Mutex::new(File::create(path)?);
        Ok(Self(Some(Arc::new(Open { file, start: Instant::now() }))))
    }

    /// Writes a message as JSON, or the reason why it is malformed: `{"seconds", "from", "message" | "malformed"}`.
    pub fn write(&self, from: Peer, message: Result<&dyn Display, &str>) {
        let Some(Open { file, start }) = self.0.as_deref() else { return };
        let from = match from {
            Peer::Client => "client",
            Peer::Server => "server",
        };
        let seconds = start.elapsed().as_secs_f64();
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end the session.
        match message {
            Ok(message) => writeln!(file, r#"{{"seconds":{seconds},"from":"{from}","message":{message}}}"#),
            Err(why) => writeln!(file, "{}", json!({"seconds": seconds, "from": from, "malformed": why})),
        }
        .ok();
    }
}

//! A server process and its pipes.
//!
//! Sending never waits for the server: messages go to a queue, so a server that stops reading does not stop the client
//! from reading.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read, Seek, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::server::{client::read, process::cpu_ticks};

/// Maximum time without a message from the server.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A server process and its pipes.
pub struct Connection {
    server: Child,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Value>,
    gate: Arc<Gate>,
    complaints: Arc<Mutex<String>>,
    transcript: Option<Transcript>,
}

/// Stops and resumes reading the server's output.
#[derive(Default)]
struct Gate {
    closed: Mutex<bool>,
    changed: Condvar,
}

/// The messages since the server started, one per line: `{"ms": …, "from": "client" | "server" | "test", "said": …}`.
#[derive(Clone)]
pub struct Transcript {
    file: Arc<Mutex<BufWriter<File>>>,
    path: PathBuf,
    start: Instant,
}

impl Transcript {
    /// Creates an empty transcript in a file.
    pub fn new(path: PathBuf) -> Self {
        let file = File::create(&path).expect("a file for the transcript");
        Self { file: Arc::new(Mutex::new(BufWriter::new(file))), path, start: Instant::now() }
    }

    /// Clears the transcript.
    pub fn clear(&self) {
        let mut file = self.file.lock().expect("no test has failed");
        file.rewind().and_then(|()| file.get_ref().set_len(0)).expect("the transcript can be shortened");
    }

    fn note(&self, from: &str, said: &Value) {
        let line = json!({"ms": self.start.elapsed().as_millis() as u64, "from": from, "said": said});
        let mut file = self.file.lock().expect("no test has failed");
        writeln!(file, "{line}").expect("writing the transcript");
    }

    /// Flushes the transcript and returns its path.
    pub fn finish(&self) -> &Path {
        if let Ok(mut file) = self.file.lock() {
            file.flush().ok();
        }
        &self.path
    }
}

impl Connection {
    /// Starts a server without initializing it.
    pub fn start(transcript: Option<Transcript>) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_psl"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut input = server.stdin.take().expect("a pipe");
        let (to, waiting) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // Writing fails after the server was killed.
            while let Ok(bytes) = waiting.recv()
                && input.write_all(&bytes).and_then(|()| input.flush()).is_ok()
            {}
        });
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let (sender, from) = channel();
        let gate = Arc::<Gate>::default();
        let (may_read, copy) = (Arc::clone(&gate), transcript.clone());
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                drop(may_read.changed.wait_while(may_read.closed.lock().expect("no poison"), |closed| *closed));
                if let Some(transcript) = &copy {
                    transcript.note("server", &message);
                }
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut errors = server.stderr.take().expect("a pipe");
        let complaints = Arc::<Mutex<String>>::default();
        let copy = Arc::clone(&complaints);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = errors.read(&mut bytes) {
                copy.lock().expect("no poison").push_str(&String::from_utf8_lossy(&bytes[..length]));
            }
        });
        Self { server, to: Some(to), from, gate, complaints, transcript }
    }

    /// The process id of the server.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Sends raw bytes.
    pub fn send(&mut self, bytes: Vec<u8>) {
        if let Some(transcript) = &self.transcript {
            transcript.note("client", &String::from_utf8_lossy(&bytes).into());
        }
        // Sending fails after the end of the server, which the next `listen` reports.
        self.to.as_ref().expect("the input is open").send(bytes).ok();
    }

    /// Adds a note of the test to the transcript.
    pub fn note(&self, what: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.note("test", &what.into());
        }
    }

    /// Resumes or stops reading.
    pub fn set_reading(&self, reads: bool) {
        *self.gate.closed.lock().expect("no poison") = !reads;
        self.gate.changed.notify_all();
    }

    /// Returns the next message, or `None` if none arrives in time.
    pub fn receive(&self, patience: Duration) -> Option<Value> {
        match self.from.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended: {}", self.complaints()),
        }
    }

    /// Waits for the next message as long as the server is busy. On a busy machine, background work takes long.
    pub fn wait(&self) -> Value {
        let start = Instant::now();
        loop {
            if let Some(message) = self.receive(PATIENCE) {
                return message;
            }
            let computes = !self.rests(Duration::from_secs(2));
            assert!(computes && start.elapsed() < 10 * PATIENCE, "the server sends nothing");
        }
    }

    /// Whether the server is idle for this time.
    pub fn rests(&self, time: Duration) -> bool {
        let before = cpu_ticks(self.process());
        thread::sleep(time);
        cpu_ticks(self.process()) - before <= 1
    }

    /// The standard error of the server. It is empty unless the server has a defect.
    pub fn complaints(&self) -> String {
        self.complaints.lock().expect("no poison").clone()
    }

    /// Waits for the end of the server.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.server.try_wait().expect("the status of the server") {
                return status;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the server does not end");
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.to = None;
        let _ = self.server.kill();
        let _ = self.server.wait();
        self.set_reading(true);
    }
}

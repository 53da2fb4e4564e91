//! A server's process, and what goes through its pipes.
//!
//! Nothing here waits for the server: what is sent waits in a queue of its own, so that a server which does not read for a while
//! keeps no client from reading.

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

/// How long the server may say nothing while it is waited for.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A server's process, and what goes through its pipes.
pub struct Connection {
    server: Child,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Value>,
    gate: Arc<Gate>,
    complaints: Arc<Mutex<String>>,
    transcript: Option<Transcript>,
}

/// Whether what the server writes is read.
#[derive(Default)]
struct Gate {
    closed: Mutex<bool>,
    changed: Condvar,
}

/// What was said since the server started, a line a message: `{"ms": …, "from": "client" | "server" | "test", "said": …}`.
#[derive(Clone)]
pub struct Transcript {
    file: Arc<Mutex<BufWriter<File>>>,
    path: PathBuf,
    start: Instant,
}

impl Transcript {
    /// One in which nothing stands, in this file.
    pub fn new(path: PathBuf) -> Self {
        let file = File::create(&path).expect("a transcript can be written");
        Self { file: Arc::new(Mutex::new(BufWriter::new(file))), path, start: Instant::now() }
    }

    /// Forgets what was said.
    pub fn clear(&self) {
        let mut file = self.file.lock().expect("no test has failed");
        file.rewind().and_then(|()| file.get_ref().set_len(0)).expect("the transcript can be shortened");
    }

    fn note(&self, from: &str, said: &Value) {
        let line = json!({"ms": self.start.elapsed().as_millis() as u64, "from": from, "said": said});
        let mut file = self.file.lock().expect("no test has failed");
        writeln!(file, "{line}").expect("the transcript takes it");
    }

    /// Writes what waits, and tells where it stands.
    pub fn finish(&self) -> &Path {
        if let Ok(mut file) = self.file.lock() {
            file.flush().ok();
        }
        &self.path
    }
}

impl Connection {
    /// A server that was not greeted yet.
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
            // A server that was killed reads nothing more.
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

    /// The server's process.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: Vec<u8>) {
        if let Some(transcript) = &self.transcript {
            transcript.note("client", &String::from_utf8_lossy(&bytes).into());
        }
        // After the server's end, what waits is lost: whoever listens next notices that.
        self.to.as_ref().expect("the input is open").send(bytes).ok();
    }

    /// Notes what the test does.
    pub fn note(&self, what: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.note("test", &what.into());
        }
    }

    /// Reads on, or stops reading.
    pub fn set_reading(&self, reads: bool) {
        *self.gate.closed.lock().expect("no poison") = !reads;
        self.gate.changed.notify_all();
    }

    /// The next message, unless there is none for this long.
    pub fn receive(&self, patience: Duration) -> Option<Value> {
        match self.from.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended: {}", self.complaints()),
        }
    }

    /// The next message. A server that says nothing for long still computes: on a busy machine, what nobody waits for takes its time.
    pub fn wait(&self) -> Value {
        let start = Instant::now();
        loop {
            if let Some(message) = self.receive(PATIENCE) {
                return message;
            }
            let computes = !self.rests(Duration::from_secs(2));
            assert!(computes && start.elapsed() < 10 * PATIENCE, "the server says nothing any more");
        }
    }

    /// Whether the server computes nothing for this long.
    pub fn rests(&self, time: Duration) -> bool {
        let before = cpu_ticks(self.process());
        thread::sleep(time);
        cpu_ticks(self.process()) - before <= 1
    }

    /// What the server wrote to its standard error: nothing, unless it has a defect.
    pub fn complaints(&self) -> String {
        self.complaints.lock().expect("no poison").clone()
    }

    /// Waits for the end of the server.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.server.try_wait().expect("it can be waited for") {
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

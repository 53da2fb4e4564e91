//! The state of the editor, and its session with the server.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
use serde_json::{Value, json};

use super::{
    connection::{Connection, PATIENCE, Transcript},
    damage::{Left, damaged, framed},
    disk::{Disk, FileEvent, sound_program},
    ledger::{Ledger, Sent},
};
use crate::server::{
    client::full,
    edits::{programs, random_text},
    process::peak_kib,
    text::Encoding,
};

/// Maximum memory of the server, in KiB.
const MEMORY: u64 = 400 * 1024;

/// The placeholder for a lone surrogate until a message is written.
pub const LONE_SURROGATE: char = '\u{e000}';

/// A document that is or was open.
pub struct Document {
    pub uri: String,
    pub text: String,
    /// The version. It also grows when the document is opened again.
    pub version: i64,
    pub is_open: bool,
    /// Whether its runs never end. Edits do not change that.
    pub is_endless: bool,
    /// Whether the document was run since it was opened. The server stores the result, which a new server does not
    /// have.
    pub ran: bool,
    /// Whether the message that opened the document may be lost.
    pub perhaps_closed: bool,
}

/// The editor's current way to answer requests of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    All,
    None,
    Refusals,
    Half,
}

/// The last published diagnostics by document, with their version.
pub type Published = BTreeMap<String, (Option<i64>, Vec<Value>)>;

/// Statistics of a session.
#[derive(Default, Debug)]
pub struct Counts {
    pub rounds: usize,
    pub messages: usize,
    pub requests: usize,
    pub damaged: usize,
    pub in_doubt: usize,
    pub servers: usize,
    pub compared: usize,
    pub peak_kib: u64,
}

/// An editor and its server.
pub struct Editor {
    pub random: ChaCha8Rng,
    pub encoding: Encoding,
    pub programs: Vec<String>,
    pub disk: Disk,
    pub documents: Vec<Document>,
    pub folders: BTreeSet<String>,
    pub settings: Value,
    pub capabilities: Value,
    /// Whether the client has pulled diagnostics. After that, the server does not publish any.
    pub pulls: bool,
    pub answers: Answers,
    /// Whether the editor currently changes texts.
    pub types: bool,
    /// Whether messages are currently damaged.
    pub damages: bool,
    /// Whether a change of a text may be lost since the last check of all documents.
    pub may_be_in_doubt: bool,
    /// Documents that were never open and that the server may report as in doubt.
    pub strays: BTreeSet<String>,
    /// Changes on the disk that are not yet reported to the server.
    pub events: Vec<FileEvent>,
    pub ledger: Ledger,
    pub published: Published,
    /// The ids of requests.
    pub ids: Vec<Value>,
    /// The tokens for progress.
    pub tokens: Vec<Value>,
    /// The last token that the server created. It does not depend on the seed alone.
    pub token_of_server: Option<Value>,
    /// Items from responses at the last checkpoint, for requests that need them.
    pub items: HashMap<&'static str, Value>,
    /// The semantic tokens by document, with their result id.
    pub semantic_tokens: HashMap<String, (Value, Value)>,
    /// The pulled diagnostics by document, with their result id.
    pub pulled: HashMap<String, (String, Value)>,
    pub counts: Counts,
    pub connection: Connection,
    /// Whether tests run according to the last `psl/status`.
    testing: bool,
    /// Responses to the requests of a checkpoint.
    pub kept: HashMap<String, Value>,
    /// Unanswered requests of the server, with the settings at the time.
    pending: Vec<(Value, Value)>,
    asked: i64,
    transcript: Transcript,
    whose: String,
}

impl Editor {
    /// Creates an editor with a seed and a new server.
    pub fn new(seed: u64, encoding: Encoding) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(3 * seed + encoding as u64);
        let programs = programs();
        let disk = Disk::new(&mut random, &programs);
        let transcript = std::env::temp_dir().join(format!("psl-traffic-{seed}-{}.jsonl", encoding.name()));
        let uris = disk.programs().into_iter().step_by(2);
        let others = ["file:///nowhere/one.psl", "untitled:Untitled-1", "file:///nowhere/endless.psl"];
        let document = |uri: String| Document {
            is_endless: uri.ends_with("endless.psl"),
            uri,
            text: String::new(),
            version: 0,
            is_open: false,
            ran: false,
            perhaps_closed: false,
        };
        Self {
            documents: uris.chain(others.map(str::to_owned)).map(document).collect(),
            connection: Connection::start(None),
            random,
            encoding,
            programs,
            disk,
            folders: BTreeSet::new(),
            settings: Value::Null,
            capabilities: Value::Null,
            pulls: false,
            answers: Answers::All,
            types: true,
            damages: false,
            may_be_in_doubt: false,
            strays: BTreeSet::new(),
            events: Vec::new(),
            ledger: Ledger::default(),
            published: Published::new(),
            ids: Vec::new(),
            tokens: Vec::new(),
            token_of_server: None,
            items: HashMap::new(),
            semantic_tokens: HashMap::new(),
            pulled: HashMap::new(),
            counts: Counts::default(),
            testing: false,
            kept: HashMap::new(),
            pending: Vec::new(),
            asked: 0,
            transcript: Transcript::new(transcript),
            whose: format!("SEED={seed} in {}", encoding.name()),
        }
    }

    /// Starts a new server, initializes it, and opens the open documents.
    pub fn start_server(&mut self) {
        self.counts.servers += 1;
        self.transcript.clear();
        self.connection = Connection::start(Some(self.transcript.clone()));
        self.ledger = Ledger::default();
        self.published.clear();
        self.pending.clear();
        self.testing = false;
        self.token_of_server = None;
        self.semantic_tokens.clear();
        self.strays.clear();
        self.may_be_in_doubt = false;
        self.pulls = self.random.random_ratio(1, 3);
        self.capabilities = random_capabilities(&mut self.random, self.encoding);
        let greeting = self.greeting();
        self.ask(&"initialize".into(), "initialize", None, &greeting);
        self.notify("initialized", &json!({}));
        for index in 0..self.documents.len() {
            if self.documents[index].is_open {
                self.open_again(index);
            }
        }
    }

    /// The current parameters of `initialize`.
    pub fn greeting(&self) -> Value {
        let mut options = self.settings.clone();
        if options.is_object() {
            options["showStatus"] = true.into();
        }
        let folders: Vec<_> = self.folders.iter().map(|uri| json!({"uri": uri, "name": "folder"})).collect();
        json!({
            "processId": std::process::id(), "rootUri": null, "capabilities": self.capabilities,
            "workspaceFolders": folders, "initializationOptions": options,
        })
    }

    /// Whether the capability at this path is `true`.
    pub fn can(&self, path: &str) -> bool {
        self.capabilities.pointer(path) == Some(&Value::Bool(true))
    }

    // Sending.

    /// Sends an undamaged message.
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(framed(&body(message)));
    }

    /// Sends raw bytes.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) {
        self.counts.messages += 1;
        self.connection.send(bytes);
    }

    /// Sends a message that may be damaged. Returns the kind of damage.
    pub fn send_through_noise(&mut self, message: &Value, changes_text: bool) -> Left {
        let body = body(message);
        if !self.damages || !self.random.random_ratio(1, 12) {
            self.send_bytes(framed(&body));
            return Left::Whole;
        }
        let (bytes, left) = damaged(&mut self.random, &body);
        self.counts.damaged += 1;
        self.ledger.expect_refusals(4 + bytes.len() / 1024);
        // A damaged message that is still recognizable as a request puts no document in doubt.
        let harmless = left == Left::Whole || (left == Left::Method && !changes_text);
        if !harmless {
            self.may_be_in_doubt = true;
            self.ledger.outdate(None);
        }
        self.connection.note(&format!("{left:?}, changes text: {changes_text}"));
        self.send_bytes(bytes);
        left
    }

    /// Sends an undamaged notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends an undamaged request with a unique id.
    pub fn ask(&mut self, id: &Value, method: &str, uri: Option<&str>, params: &Value) {
        self.ledger.ask(&Sent { id, method, uri, token: None, certain: true });
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Returns a new id.
    pub fn new_id(&mut self) -> i64 {
        self.asked += 1;
        self.asked
    }

    /// Opens a document again with its current text and a new version.
    pub fn open_again(&mut self, index: usize) {
        let document = &mut self.documents[index];
        (document.is_open, document.ran) = (true, false);
        document.version += 1;
        let item = json!({
            "uri": document.uri, "languageId": "psl", "version": document.version, "text": document.text,
        });
        document.text = document.text.replace(LONE_SURROGATE, "\u{fffd}");
        self.ledger.outdate(Some(&document.uri));
        let params = json!({"textDocument": item});
        let message = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params});
        let left = self.send_through_noise(&message, true);
        self.documents[index].perhaps_closed = matches!(left, Left::Method | Left::Something);
    }

    /// Closes a document.
    pub fn close(&mut self, index: usize) {
        self.documents[index].is_open = false;
        let uri = self.documents[index].uri.clone();
        self.ledger.outdate(Some(&uri));
        let params = json!({"textDocument": {"uri": uri}});
        let message = json!({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": params});
        self.send_through_noise(&message, true);
    }

    /// Sends changes of a document. Its text must already contain them.
    pub fn send_changes(&mut self, index: usize, changes: &[Value]) {
        let document = &mut self.documents[index];
        document.version += 1;
        let of = json!({"uri": document.uri, "version": document.version});
        self.ledger.outdate(Some(&document.uri));
        let params = json!({"textDocument": of, "contentChanges": changes});
        let message = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params});
        self.send_through_noise(&message, true);
    }

    /// Reports the changes on the disk to the server.
    pub fn tell_events(&mut self) {
        let changes: Vec<_> =
            self.events.drain(..).map(|event| json!({"uri": event.uri, "type": event.kind})).collect();
        if !changes.is_empty() {
            self.notify("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
        }
    }

    /// A random text for a document.
    pub fn random_text(&mut self, index: usize) -> String {
        let document = &self.documents[index];
        if document.is_endless {
            return endless(&self.programs);
        }
        let on_disk = self.disk.text(&document.uri);
        match self.random.random_range(0..8) {
            4..6 => sound_program(&mut self.random),
            0 => self.programs.choose(&mut self.random).expect("some").clone(),
            1..4 => on_disk.unwrap_or_default(),
            _ => random_text(&mut self.random, &self.programs),
        }
    }

    // Receiving.

    /// Handles the messages that have arrived.
    pub fn listen(&mut self) {
        while let Some(message) = self.connection.receive(Duration::ZERO) {
            self.take(message);
        }
    }

    /// Handles messages for this time. Returns whether any arrived.
    pub fn listen_for(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut heard = false;
        while let Some(message) = self.connection.receive(end.saturating_duration_since(Instant::now())) {
            self.take(message);
            heard = true;
        }
        heard
    }

    /// Waits for the response to a request: its result or its error.
    pub fn response(&mut self, id: &Value) -> Result<Value, Value> {
        loop {
            if let Some(mut answer) = self.kept.remove(&id.to_string()) {
                return match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                };
            }
            let message = self.connection.wait();
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), Some(_)) => self.asked_by_server(method, &message),
            (Some("textDocument/publishDiagnostics"), None) => self.published(&message["params"]),
            (Some("$/progress"), None) => {
                self.ledger.progress(&message["params"]).unwrap_or_else(|why| panic!("{why}"));
            }
            (Some("window/showMessage"), None) => {}
            (Some("psl/status"), None) => {
                let testing = message["params"]["testing"].as_bool().expect("whether tests run");
                assert_ne!(testing, self.testing, "`psl/status` was repeated");
                self.testing = testing;
            }
            (Some(_), None) => panic!("unknown notification: {message}"),
            (None, _) => {
                self.ledger.answer(&message).unwrap_or_else(|why| panic!("{why}"));
                if message["id"].as_str().is_some_and(|id| id.starts_with("checkpoint")) {
                    self.kept.insert(message["id"].to_string(), message);
                }
            }
        }
    }

    fn published(&mut self, params: &Value) {
        let uri = params["uri"].as_str().expect("a URI");
        let (version, diagnostics) = (params["version"].as_i64(), params["diagnostics"].as_array().expect("a list"));
        let newest = self.documents.iter().find(|document| document.uri == uri).map(|document| document.version);
        if let (Some(version), Some(newest)) = (version, newest) {
            assert!(version <= newest, "version {version} of {uri} is newer than the document: {newest}");
        }
        let before = self.published.get(uri).and_then(|(version, _)| *version);
        if let (Some(before), Some(version)) = (before, version) {
            assert!(before <= version, "diagnostics of version {version} of {uri} arrive after those of {before}");
        }
        self.published.insert(uri.to_owned(), (version, diagnostics.clone()));
    }

    fn asked_by_server(&mut self, method: &str, message: &Value) {
        const KNOWN: [&str; 7] = [
            "workspace/configuration",
            "client/registerCapability",
            "window/showDocument",
            "window/workDoneProgress/create",
            "workspace/codeLens/refresh",
            "workspace/diagnostic/refresh",
            "workspace/inlayHint/refresh",
        ];
        assert!(KNOWN.contains(&method), "the client does not support this request: {message}");
        let again = method.ends_with("refresh") && self.pending.iter().any(|(pending, _)| pending["method"] == method);
        assert!(!again, "the request is already pending: {message}");
        let is_odd = message["id"].as_i64().is_some_and(|id| id % 2 != 0);
        match self.answers {
            Answers::None => self.pending.push((message.clone(), self.settings.clone())),
            Answers::Half if is_odd => self.pending.push((message.clone(), self.settings.clone())),
            Answers::All | Answers::Half => self.answer(message, &self.settings.clone()),
            Answers::Refusals => {
                let error = json!({"code": -32603, "message": "not now"});
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
            }
        }
    }

    /// Answers the pending requests of the server with the settings at their time.
    pub fn answer_late(&mut self) {
        for (message, settings) in std::mem::take(&mut self.pending) {
            self.answer(&message, &settings);
        }
    }

    fn answer(&mut self, message: &Value, settings: &Value) {
        let result = match message["method"].as_str() {
            Some("workspace/configuration") => json!([settings]),
            Some("window/workDoneProgress/create") => {
                self.ledger.hand_out(&message["params"]["token"]);
                self.token_of_server = Some(message["params"]["token"].clone());
                Value::Null
            }
            _ => Value::Null,
        };
        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    }

    // Waiting.

    /// Waits until every request has its response and the server is idle.
    pub fn settle(&mut self) {
        self.wait_for_answers();
        let start = Instant::now();
        // The tests run after a pause.
        while self.listen_for(Duration::from_millis(200)) || !self.connection.rests(Duration::from_millis(100)) {
            assert!(start.elapsed() < 10 * PATIENCE, "the server does not become idle");
        }
        self.check_process();
    }

    /// Waits until every request has its response. Cancels those that take long.
    pub fn wait_for_answers(&mut self) {
        self.connection.set_reading(true);
        let start = Instant::now();
        let mut cancelled = false;
        while !self.ledger.waiting().is_empty() {
            self.listen_for(Duration::from_millis(5));
            if !cancelled && start.elapsed() > Duration::from_secs(1) {
                cancelled = true;
                let waiting = self.ledger.waiting().into_iter();
                let runs = waiting.filter(|(_, method)| *method == "workspace/executeCommand").map(|(id, _)| id);
                for id in runs.collect::<Vec<_>>() {
                    self.ledger.cancel(&id);
                    self.notify("$/cancelRequest", &json!({"id": id}));
                }
            }
            let gives_up = start.elapsed() > PATIENCE && self.connection.rests(Duration::from_secs(2));
            assert!(!gives_up && start.elapsed() < 10 * PATIENCE, "{:?}", self.ledger.close());
        }
    }

    /// Checks the memory and the standard error of the server.
    pub fn check_process(&mut self) {
        let peak = peak_kib(self.connection.process());
        self.counts.peak_kib = self.counts.peak_kib.max(peak);
        assert!(peak < MEMORY, "the server used {peak} KiB");
        assert_eq!(self.connection.complaints(), "", "the server writes to its standard error");
    }

    /// Ends the session as an editor does.
    pub fn shut_down(&mut self) {
        let id = Value::from("checkpoint shutdown");
        self.ask(&id, "shutdown", None, &Value::Null);
        assert_eq!(self.response(&id), Ok(Value::Null));
        let id = Value::from("checkpoint after shutdown");
        self.ask(&id, "", None, &Value::Null);
        assert!(self.response(&id).is_err(), "requests after `shutdown` are refused");
        self.check_process();
        self.notify("exit", &Value::Null);
        assert_eq!(self.connection.ended().code(), Some(0));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            let (round, path) = (self.counts.rounds, self.transcript.finish().display());
            eprintln!("{} failed in round {round}: {path} has all messages since the server started", self.whose);
        } else {
            fs::remove_file(self.transcript.finish()).ok();
        }
    }
}

/// A program without tests whose continuation takes longer than any timeout.
fn endless(programs: &[String]) -> String {
    let pargen = programs.iter().find(|program| program.contains("john_loves_mary")).expect("PARGEN");
    let lines = pargen.lines().filter(|line| !line.starts_with("//@"));
    let program: String = lines.flat_map(|line| [line, "\n"]).collect();
    format!("//@ max-new 200000\n//@ stop \"NEVER\"\n# \n{program}")
}

fn random_capabilities(random: &mut ChaCha8Rng, encoding: Encoding) -> Value {
    let mut capabilities = full(&[encoding.name()]);
    match random.random_range(0..6) {
        0 => capabilities = json!({"general": {"positionEncodings": [encoding.name()]}}),
        1 => capabilities["workspace"]["diagnostics"]["refreshSupport"] = false.into(),
        2 => capabilities["workspace"]["configuration"] = false.into(),
        3 => {
            capabilities["window"]["workDoneProgress"] = false.into();
            capabilities["workspace"]["inlayHint"]["refreshSupport"] = false.into();
            capabilities["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] = false.into();
        }
        _ => {}
    }
    capabilities
}

/// A message as JSON, with lone surrogates as escapes.
fn body(message: &Value) -> String {
    message.to_string().replace(LONE_SURROGATE, r"\ud83d")
}

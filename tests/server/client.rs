//! A client of the built server, over its pipes.
//!
//! With `PSL_TRANSCRIPTS=DIR`, each client writes its messages to a file there, one per line:
//! `{"from": "client" | "server", "message": {…}}`.

use std::{
    collections::{BTreeMap, VecDeque},
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// Maximum time to wait for a message of the server.
const PATIENCE: Duration = Duration::from_mins(1);

/// The capabilities of an editor with all features, without position encodings.
const FULL: &str = include_str!("full.json");

/// A client, and its server.
pub struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// While locked, at most one more message is read.
    pub reading: Arc<Mutex<()>>,
    /// Messages that arrived while another one was awaited.
    kept: VecDeque<Value>,
    transcript: Option<File>,
    requests: i64,
    /// Whether to answer requests of the server.
    pub answers: bool,
}

/// The capabilities of an editor with all features and these position encodings.
pub fn full(encodings: &[&str]) -> Value {
    let mut capabilities: Value = serde_json::from_str(FULL).expect("JSON");
    capabilities["general"]["positionEncodings"] = json!(encodings);
    capabilities
}

impl Client {
    /// Starts a server without greeting it.
    pub fn start() -> Self {
        let mut server = command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let to = server.stdin.take();
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let transcript = transcript();
        let mut copy = transcript.as_ref().map(|file| file.try_clone().expect("the file is open"));
        let (sender, from) = channel();
        let reading = Arc::new(Mutex::new(()));
        let may_read = Arc::clone(&reading);
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                drop(may_read.lock().expect("no test has failed"));
                record(copy.as_mut(), "server", &message);
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { server, to, from, reading, kept: VecDeque::new(), transcript, requests: 0, answers: true }
    }

    /// Starts and greets a server with these capabilities.
    pub fn greeted(capabilities: &Value) -> Self {
        let mut client = Self::start();
        client.greet(&json!({"processId": null, "rootUri": null, "capabilities": capabilities}));
        client
    }

    /// Starts a server for a client with all features and an open folder.
    pub fn in_folder(folder: &Path) -> Self {
        let mut client = Self::start();
        let uri = format!("file://{}", folder.display());
        client.greet(&json!({
            "processId": null,
            "rootUri": null,
            "capabilities": full(&["utf-16"]),
            "workspaceFolders": [{"uri": uri, "name": "workspace"}],
        }));
        client
    }

    /// Greets the server, and returns its capabilities.
    pub fn greet(&mut self, params: &Value) -> Value {
        let result = self.request("initialize", params).expect("the server can be initialized");
        self.notify("initialized", &json!({}));
        result
    }

    /// The id of the server's process.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Sends raw bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("the input is open");
        to.write_all(bytes).expect("the server reads");
        to.flush().expect("the server reads");
    }

    pub fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        record(self.transcript.as_mut(), "client", &message);
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(call(method, params));
    }

    /// Sends a request, and returns its id.
    pub fn begin(&mut self, method: &str, params: &Value) -> i64 {
        self.requests += 1;
        let mut message = call(method, params);
        message["id"] = self.requests.into();
        self.send(message);
        self.requests
    }

    /// Waits for the response to a request: its result or its error.
    pub fn response(&mut self, id: i64) -> Result<Value, Value> {
        let mut response = self.wait(|message| message["id"] == id && message.get("method").is_none());
        match response.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(response["result"].take()),
        }
    }

    /// Sends a request and waits for the response: its result or its error.
    pub fn request(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.response(id)
    }

    /// Opens a document with version 1.
    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "psl", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    /// Changes a document.
    pub fn change(&mut self, uri: &str, version: i64, changes: &[Value]) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Closes a document.
    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
    }

    /// Waits for the next published diagnostics of a version of a document.
    pub fn published(&mut self, uri: &str, version: i64) -> Vec<Value> {
        self.published_soon(uri, version, PATIENCE).expect("the server says something in time")
    }

    /// The next published diagnostics of a version of a document, unless the server sends nothing for this long.
    pub fn published_soon(&mut self, uri: &str, version: i64, patience: Duration) -> Option<Vec<Value>> {
        let wanted = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        };
        match self.find(wanted, patience)?["params"]["diagnostics"].take() {
            Value::Array(diagnostics) => Some(diagnostics),
            other => panic!("expected diagnostics: {other}"),
        }
    }

    /// Waits for the first message that meets a condition. The others are kept.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.find(wanted, PATIENCE).expect("the server says something in time")
    }

    /// The first message that meets a condition, unless none arrives for this long. The others are kept.
    fn find(&mut self, wanted: impl Fn(&Value) -> bool, patience: Duration) -> Option<Value> {
        if let Some(index) = self.kept.iter().position(&wanted) {
            return self.kept.remove(index);
        }
        loop {
            let message = self.receive(patience)?;
            if wanted(&message) {
                return Some(message);
            }
            self.kept.push_back(message);
        }
    }

    /// All kept messages, then all that arrive until the server is quiet for this long.
    pub fn until_quiet(&mut self, quiet: Duration) -> Vec<Value> {
        let mut messages = Vec::from(std::mem::take(&mut self.kept));
        while let Some(message) = self.receive(quiet) {
            messages.push(message);
        }
        messages
    }

    /// The next message, unless none arrives for this long. Requests of the server are answered.
    fn receive(&mut self, patience: Duration) -> Option<Value> {
        match self.from.recv_timeout(patience) {
            Ok(message) => {
                if self.answers && message.get("method").is_some() && message.get("id").is_some() {
                    self.send(json!({"id": message["id"], "result": result(&message)}));
                }
                Some(message)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        }
    }

    /// Closes the server's input.
    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// Waits for the end of the server.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.server.try_wait().expect("its status") {
                return status;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the server does not end");
    }

    /// Shuts the server down as an editor does.
    pub fn finish(mut self) {
        self.request("shutdown", &Value::Null).expect("the server can be shut down");
        self.notify("exit", &Value::Null);
        assert_eq!(self.ended().code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that panics must not leave a server running.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The command of the server: `psl lsp`, or with `PSL_MODULE=FILE` the module for browsers, in Node.js.
fn command() -> Command {
    let module = std::env::var_os("PSL_MODULE");
    let mut command = Command::new(if module.is_some() { "node" } else { env!("CARGO_BIN_EXE_psl") });
    match module {
        Some(module) => {
            command.args([concat!(env!("CARGO_MANIFEST_DIR"), "/../web/playground/stdio.mjs").into(), module])
        }
        None => command.arg("lsp"),
    };
    command
}

/// A request without its id, or a notification.
fn call(method: &str, params: &Value) -> Value {
    match params {
        Value::Null => json!({"method": method}),
        params => json!({"method": method, "params": params}),
    }
}

/// The answer of an editor with default settings to a request.
fn result(request: &Value) -> Value {
    match request["method"].as_str() {
        Some("workspace/configuration") => {
            request["params"]["items"].as_array().expect("items").iter().map(|_| Value::Null).collect()
        }
        Some("workspace/applyEdit") => json!({"applied": true}),
        Some("window/showDocument") => json!({"success": true}),
        _ => Value::Null,
    }
}

/// Reads a message, or returns `None` at the end of the output.
pub fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).expect("ASCII") == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a length"),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    // The server may be killed while it writes.
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

/// A separate file for this client, if transcripts are wanted. It is named for the test's binary, the test, and the
/// number of the client in it: the same in each run, so that a sample of the files is the same, too.
fn transcript() -> Option<File> {
    static CLIENTS: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
    let folder = std::env::var_os("PSL_TRANSCRIPTS")?;
    let binary = std::env::current_exe().expect("this binary");
    let binary = binary.file_stem().expect("a name").to_string_lossy();
    // Without the hash that cargo adds.
    let binary = binary.rsplit_once('-').map_or(&*binary, |(name, _)| name);
    // nextest runs each test in a process of its own, where the thread of a test may have no name.
    let test = std::env::var("NEXTEST_TEST_NAME").ok();
    let test = test
        .as_deref()
        .or(thread::current().name())
        .unwrap_or("thread")
        .replace(|char: char| !char.is_alphanumeric(), "-");
    let test = format!("{binary}-{test}");
    let mut clients = CLIENTS.lock().expect("no test has failed here");
    let number = clients.entry(test.clone()).and_modify(|number| *number += 1).or_default();
    fs::create_dir_all(&folder).expect("a folder for the transcripts");
    let path = Path::new(&folder).join(format!("{test}-{number}.jsonl"));
    Some(File::options().create(true).append(true).open(path).expect("a transcript"))
}

fn record(transcript: Option<&mut File>, from: &str, message: &Value) {
    if let Some(file) = transcript {
        let line = format!("{}\n", json!({"from": from, "message": message}));
        file.write_all(line.as_bytes()).expect("the transcript takes it");
    }
}

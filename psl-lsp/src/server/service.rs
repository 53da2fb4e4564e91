//! The protocol's thread: handles messages in the client's order, and the results of other threads.
//!
//! Invariants: every function here returns at once. None computes, reads files or waits for the client. An edit is
//! applied before the next message is handled, and a request refers to the newest version at its arrival.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crossbeam_channel::Sender;
use gen_lsp_types::{self as lsp, LspRequestMethod, MessageType, Notification, Request};
use psl_explorer::explorer_prompt;
use psl_host::{Configs, framing::Malformed};
use psl_program::{Progress, RunRequest};
use serde_json::{Value, json};

use super::{
    client_process,
    client_requests::{ClientRequests, Refresh},
    event::{Event, News},
    explorer::{self, Explorer, ExplorerTemplate},
    lanes::{Job, Lane, Lanes},
    message::{self, Incoming},
    open_requests::OpenRequests,
    outbox::Outbox,
    publisher::Publisher,
    spelling,
    testing::Testing,
};
use crate::{
    capabilities::greeting,
    commands,
    from_proto::{self, Command, ExplorerForm, parameters},
    notice::Notice,
    refusal::Refusal,
    requests,
    routes::{DocumentRequest, document_request},
    session::Session,
    to_proto::{self, to_json},
    uri::Url,
    workspace::{FilePath, Program, Workspace, WorkspaceTests},
};

/// A session with one client.
pub struct Service {
    /// The open documents.
    pub session: Arc<Session>,
    /// The client's requests without an answer.
    pub open: OpenRequests,
    /// Diagnostics.
    pub publisher: Publisher,
    /// The requests to the client.
    pub client: ClientRequests,
    /// The open folders.
    pub workspace: Arc<Workspace>,
    /// The lanes.
    pub lanes: Lanes,
    /// The pages of the explorer.
    pub explorer: Explorer,
    /// The queue of messages to the client.
    pub outbox: Outbox,
    /// Whether `initialize` has been received.
    pub greeted: bool,
    events: Sender<Event>,
    testing: Testing,
}

/// The next step of the session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Handle the next message.
    Message,
    /// End, since the client has sent `exit`.
    Exit,
}

impl Service {
    /// Creates a session. Other threads send their results through `events`.
    pub fn new(session: Arc<Session>, outbox: Outbox, events: Sender<Event>, explorer: ExplorerTemplate) -> Self {
        let lanes = Lanes::new();
        let testing = Testing::new(Arc::clone(&session), outbox.clone());
        let (sender, status) = (events.clone(), testing.clone());
        Self {
            publisher: Publisher::new(Arc::clone(&session), outbox.clone(), lanes.clone(), sender, status),
            open: OpenRequests::new(outbox.clone()),
            client: ClientRequests::new(outbox.clone()),
            workspace: Arc::default(),
            explorer: Explorer::new(explorer, Arc::clone(&session), events.clone()),
            greeted: false,
            session,
            outbox,
            lanes,
            events,
            testing,
        }
    }

    /// Handles a message or malformed bytes.
    pub fn take(&mut self, message: Result<Value, Malformed>) -> Next {
        let mut message = match message {
            Ok(message) => message,
            Err(Malformed { why, may_hide_a_change }) => {
                self.refuse(&Value::Null, Refusal::Malformed(why));
                if may_hide_a_change {
                    self.lose(Some(Value::Null));
                }
                return Next::Message;
            }
        };
        spelling::read(&mut message, &self.session);
        let changed = changed_text(&message);
        match Incoming::read(message) {
            Ok(Incoming::Request { id, method, params }) => {
                // A defect in one request must not end the session.
                let taken = catch_unwind(AssertUnwindSafe(|| self.request(&id, &method, params)));
                if let Err(refusal) = taken.unwrap_or(Err(Refusal::Internal)) {
                    self.refuse(&id, refusal);
                }
            }
            Ok(Incoming::Notification { method, .. }) if method == lsp::ExitNotification::METHOD.as_str() => {
                return Next::Exit;
            }
            Ok(Incoming::Notification { method, params }) => {
                let taken = catch_unwind(AssertUnwindSafe(|| self.notification(&method, params)));
                if taken.unwrap_or(Err(Refusal::Internal)).is_err() {
                    self.lose(changed);
                }
            }
            Ok(Incoming::Response { id, result }) => self.response(&id, result.as_ref()),
            Err((id, refusal)) => {
                self.refuse(&id, refusal);
                self.lose(changed);
            }
        }
        Next::Message
    }

    /// Handles the result of another thread.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Checked(checked) => {
                self.explorer.changed(&checked.document.uri);
                self.publisher.checked(checked, &mut self.client);
            }
            Event::Clicked { uri, line } => self.client.show_line(uri, line),
            Event::Outdated(uri) => self.publisher.check_again(&uri),
            Event::Answered { number, result, news } => {
                if !self.open.answer(number, &result) {
                    return;
                }
                match news {
                    News::None => {}
                    News::Workspace { problems, left_out, ran } => {
                        for problem in &problems {
                            self.publisher.report_once(MessageType::Error, problem);
                        }
                        if let Some(left_out) = left_out {
                            self.publisher.report_once(MessageType::Info, &left_out);
                        }
                        if ran.is_some() {
                            self.ran(ran, true);
                        }
                    }
                    News::Ran { notice, open } => self.ran(notice, open),
                    News::Served(address) => {
                        if let Err(address) = self.client.open_page(address) {
                            self.show_address(&address);
                        }
                    }
                }
            }
        }
    }

    /// Shows the results of runs.
    fn ran(&mut self, notice: Option<Notice>, open: bool) {
        if open {
            self.client.refresh(Refresh::Lenses);
            self.client.refresh(Refresh::Hints);
        }
        if let Some(Notice { text, success }) = notice.filter(|_| self.session.client().show_results) {
            self.publisher.show(if success { MessageType::Info } else { MessageType::Warning }, text);
        }
    }

    /// Shows the address of a page that the client did not open.
    pub fn show_address(&self, address: &str) {
        self.publisher.show(MessageType::Info, format!("open the explorer in a browser: {address}"));
    }

    fn refuse(&self, id: &Value, refusal: Refusal) {
        self.outbox.send(message::response(id, &Err(refusal)));
    }

    fn request(&mut self, id: &Value, method: &str, params: Value) -> Result<(), Refusal> {
        match (LspRequestMethod::from(method), self.greeted) {
            (lsp::InitializeRequest::METHOD, false) => {
                let greeting = self.initialize(&params)?;
                self.outbox.send(message::response(id, &Ok(greeting)));
                return Ok(());
            }
            (lsp::InitializeRequest::METHOD, true) => {
                return Err(Refusal::Invalid("`initialize` was already received".to_owned()));
            }
            (_, false) => return Err(Refusal::NotInitialized),
            (_, true) if self.session.is_shut_down() => {
                return Err(Refusal::Invalid("expected `exit` after `shutdown`".to_owned()));
            }
            (_, true) => {}
        }
        let result = match LspRequestMethod::from(method) {
            lsp::ShutdownRequest::METHOD => {
                self.session.shut_down();
                "null".to_owned()
            }
            LspRequestMethod::Custom("psl/text") => to_json(&self.text(&parameters(params)?))?,
            lsp::CompletionResolveRequest::METHOD => to_json(&requests::resolve_completion(parameters(params)?))?,
            lsp::WorkspaceSymbolRequest::METHOD => {
                self.symbols(id, parameters(params)?);
                return Ok(());
            }
            lsp::WorkspaceDiagnosticRequest::METHOD => {
                self.workspace_diagnostics(id, parameters(params)?);
                return Ok(());
            }
            lsp::ExecuteCommandRequest::METHOD => return self.command(id, parameters(params)?),
            _ => {
                let request = document_request(method, params, self.session.client());
                let request = request.ok_or_else(|| Refusal::UnknownMethod(method.to_owned()))??;
                return self.document_request(id, method, request);
            }
        };
        self.outbox.send(message::response(id, &Ok(result)));
        Ok(())
    }

    fn document_request(&mut self, id: &Value, method: &str, request: DocumentRequest) -> Result<(), Refusal> {
        let DocumentRequest { uri, latency, answer, not_open } = request;
        let asks_for_diagnostics = method == lsp::DocumentDiagnosticRequest::METHOD.as_str();
        if asks_for_diagnostics {
            self.publisher.client_pulls();
        }
        let Some(document) = self.session.get(&uri) else {
            self.outbox.send(message::response(id, &Ok(not_open)));
            return Ok(());
        };
        if document.in_doubt && !asks_for_diagnostics {
            return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned()));
        }
        let (number, progress) = self.open.open(id.clone(), Some(uri.clone()));
        self.compute(self.lanes.of(latency), number, progress, Some(uri), move |_| (answer(&document), News::None));
        Ok(())
    }

    fn symbols(&mut self, id: &Value, params: lsp::WorkspaceSymbolParams) {
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let (number, progress) = self.open.open(id.clone(), None);
        self.compute(&self.lanes.symbols, number, progress, None, move |progress| {
            (to_json(&workspace.symbols(&session, &params.query, &progress.cancelled)), News::None)
        });
    }

    fn workspace_diagnostics(&mut self, id: &Value, params: lsp::WorkspaceDiagnosticParams) {
        self.publisher.client_pulls();
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let (number, progress) = self.open.open(id.clone(), None);
        self.open.show(number, "Checking PSL programs", params.work_done_progress_params.work_done_token);
        self.compute(&self.lanes.workspace, number, progress, None, move |progress| {
            let found = workspace.diagnostics(&session, params.previous_result_ids, progress);
            let answer = to_json(&to_proto::workspace_diagnostics(found.items));
            (answer, News::Workspace { problems: found.problems, left_out: found.left_out, ran: None })
        });
    }

    fn command(&mut self, id: &Value, params: lsp::ExecuteCommandParams) -> Result<(), Refusal> {
        let token = params.work_done_progress_params.work_done_token.clone();
        let (uri, command) = match from_proto::command(params)? {
            Command::Explain(explanation) => {
                self.outbox.send(message::response(id, &to_json(&explanation)));
                return Ok(());
            }
            Command::WorkspaceTests { run } => {
                self.workspace_tests(id, run, token);
                return Ok(());
            }
            Command::Explore(uri, request, form) => return self.explore(id, &uri, request, form),
            Command::OfDocument(uri, command) => (uri, command),
        };
        let program = match self.session.get(&uri) {
            Some(document) if document.in_doubt => return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned())),
            Some(document) => Program::Open(document),
            None => Program::Closed(FilePath::of(&uri).filter(|_| !command.edits()).ok_or_else(|| not_open(&uri))?),
        };
        let (number, progress) = self.open.open(id.clone(), Some(uri));
        self.open.show(number, "Running", token);
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let testing = self.testing.clone();
        self.compute(&self.lanes.commands, number, progress, None, move |progress| {
            if let Program::Closed(file) = &program
                && !workspace.contains(&file.path)
            {
                return (Err(not_in_folder(&file.uri)), News::None);
            }
            let _running = command.tests().then(|| testing.begin());
            let document = match program.document(&mut Configs::default(), &session) {
                Ok(document) => document,
                Err(why) => return (Err(Refusal::Failed(why)), News::None),
            };
            let open = document.version.is_some();
            let news = |notice| if command.runs() { News::Ran { notice, open } } else { News::None };
            match commands::execute(&document, &command, progress) {
                Ok(answer) => (Ok(answer.value), news(answer.message)),
                Err(refusal) => (Err(refusal), news(None)),
            }
        });
        Ok(())
    }

    fn explore(&mut self, id: &Value, uri: &Url, request: RunRequest, form: ExplorerForm) -> Result<(), Refusal> {
        let document = self.session.get(uri).ok_or_else(|| not_open(uri))?;
        if document.in_doubt {
            return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned()));
        }
        let pages = self.explorer.clone();
        let (number, progress) = self.open.open(id.clone(), None);
        self.compute(&self.lanes.commands, number, progress, None, move |_| {
            let answer = || {
                if form == ExplorerForm::Data {
                    let data = explorer::page_data(&explorer::name(&document), &document, None).to_json()?;
                    return Ok((format!(r#"{{"program":{data}}}"#), News::None));
                }
                let open = explorer_prompt(document.file(), &document.run_history(), &request)?;
                if form == ExplorerForm::Page {
                    return Ok((to_json(&pages.whole_page(&document, open)?)?, News::None));
                }
                let address = pages.serve(&document, open)?;
                Ok((to_json(&json!({"url": address}))?, News::Served(address)))
            };
            answer().map_or_else(|refusal| (Err(refusal), News::None), |(value, news)| (Ok(value), news))
        });
        Ok(())
    }

    fn workspace_tests(&mut self, id: &Value, run: bool, token: Option<lsp::ProgressToken>) {
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let testing = self.testing.clone();
        let (number, progress) = self.open.open(id.clone(), None);
        let title = if run { "Running PSL tests" } else { "Finding PSL tests" };
        self.open.show(number, title, token);
        self.compute(&self.lanes.commands, number, progress, None, move |progress| {
            let _running = run.then(|| testing.begin());
            match workspace.tests(&session, run, progress) {
                Ok(WorkspaceTests { json, counts, problems, left_out }) => {
                    (Ok(json), News::Workspace { problems, left_out, ran: run.then(|| counts.notice()) })
                }
                Err(refusal) => (Err(refusal), News::None),
            }
        });
    }

    /// Computes an answer on another thread.
    fn compute(
        &self,
        lane: &Lane,
        number: usize,
        progress: Arc<Progress>,
        document: Option<Url>,
        compute: impl FnOnce(&Progress) -> (Result<String, Refusal>, News) + Send + 'static,
    ) {
        let (outbox, events) = (self.outbox.clone(), self.events.clone());
        let cancelled = Arc::clone(&progress.cancelled);
        let work = Box::new(move || {
            outbox.wait_for_room();
            if progress.is_cancelled() {
                return;
            }
            let computed = catch_unwind(AssertUnwindSafe(|| compute(&progress)));
            let (result, news) = computed.unwrap_or((Err(Refusal::Internal), News::None));
            events.send(Event::Answered { number, result, news }).ok();
        });
        lane.push(Job { document, cancelled, work });
    }

    fn initialize(&mut self, params: &Value) -> Result<String, Refusal> {
        let from_proto::Greeting { process, client, folders, settings } = from_proto::greeting(params);
        if let Some(process) = process {
            client_process::watch(process);
        }
        self.greeted = true;
        self.session.set_client(client);
        self.client.set_client(client);
        self.workspace.change(folders, []);
        // Nothing is open yet, and no request may precede the answer.
        self.take_settings(&settings);
        to_json(&greeting(client.encoding))
    }

    /// `psl/text`: the server's version and text of a document, for tests. `None` if it is not open.
    fn text(&self, document: &lsp::TextDocumentIdentifier) -> Option<Value> {
        let document = self.session.get(&document.uri)?;
        Some(json!({"version": document.version, "text": document.text.to_string()}))
    }
}

fn not_open(uri: &Url) -> Refusal {
    Refusal::Parameters(format!("{uri} is not open in the editor"))
}

fn not_in_folder(uri: &Url) -> Refusal {
    Refusal::Parameters(format!("{uri} is neither open in the editor nor in an open folder: open it first"))
}

/// The document whose text a message changes, null if it is unknown. `None` for other messages.
fn changed_text(message: &Value) -> Option<Value> {
    const CHANGES: [&str; 3] = [
        lsp::DidOpenTextDocumentNotification::METHOD.as_str(),
        lsp::DidChangeTextDocumentNotification::METHOD.as_str(),
        lsp::DidCloseTextDocumentNotification::METHOD.as_str(),
    ];
    let method = message.get("method")?.as_str()?;
    CHANGES.contains(&method).then(|| message.pointer("/params/textDocument/uri").cloned().unwrap_or_default())
}

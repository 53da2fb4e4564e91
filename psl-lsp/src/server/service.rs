//! A session with one client: its requests, and the results of other threads.
//!
//! Invariants: every function here returns at once. None computes, reads files or waits for the client. A request
//! refers to the newest version at its arrival.

use std::{sync::Arc, time::Duration};

use gen_lsp_types::{self as lsp, MessageType};
use psl_explorer::FirstPrompt;
use psl_program::{Progress, RunRequest};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    client_requests::{ClientRequests, Refresh},
    event::{Event, News},
    job::Job,
    lanes::Lanes,
    open_requests::{OpenRequests, Reply},
    outbox::Outbox,
    page_data::{name, page_data},
    platform::{self, Explorer, ExplorerTemplate, Lane},
    publisher::Publisher,
    spelling,
    testing::Testing,
    virtual_documents::VirtualDocuments,
};
use crate::{
    capabilities::greeting,
    commands,
    content::Content,
    defect::Defect,
    from_proto::{self, ActionEdits, Command, DocumentCommand, ExplorerForm},
    notice::Notice,
    refusal::Refusal,
    routes::{DocumentRequest, Route},
    session::Session,
    to_proto::{self, to_json},
    uri::Url,
    workspace::{FilePath, Workspace, WorkspaceProgram, WorkspaceTests},
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
    /// The documents that the client shows of the server.
    pub contents: VirtualDocuments,
    /// Whether `initialize` has been received.
    pub greeted: bool,
    /// Whether a message that opened a document may be lost.
    pub may_lack_documents: bool,
    /// Whether the last notification had invalid parameters.
    pub has_invalid_parameters: bool,
    events: UnboundedSender<Event>,
    testing: Testing,
}

impl Service {
    /// Creates a session with a client. Other threads send their results through `events`.
    pub fn new(
        session: Arc<Session>,
        outbox: Outbox,
        events: UnboundedSender<Event>,
        explorer: ExplorerTemplate,
    ) -> Self {
        let lanes = Lanes::new();
        let testing = Testing::new(Arc::clone(&session), outbox.clone());
        let (sender, status) = (events.clone(), testing.clone());
        Self {
            publisher: Publisher::new(Arc::clone(&session), outbox.clone(), lanes.clone(), sender, status),
            open: OpenRequests::new(outbox.clone()),
            client: ClientRequests::new(outbox.clone()),
            workspace: Arc::default(),
            explorer: Explorer::new(explorer, Arc::clone(&session), events.clone()),
            contents: VirtualDocuments::default(),
            greeted: false,
            may_lack_documents: false,
            has_invalid_parameters: false,
            session,
            outbox,
            lanes,
            events,
            testing,
        }
    }

    /// Handles the result of another thread.
    pub fn event(&mut self, event: Event) {
        match event {
            Event::Checked(checked) => {
                self.explorer.changed(&checked.document.uri);
                if checked.tests.is_none() {
                    self.contents.changed(&checked.document.uri, self.session.now());
                }
                self.publisher.checked(checked, &mut self.client);
            }
            #[cfg(feature = "native")]
            Event::Clicked { uri, line } => self.client.show_line(uri, line),
            Event::Outdated(uri) => self.publisher.check_again(&uri),
            Event::Answered { number, result, news } => {
                // The answer is sent before its news.
                if self.open.answer(number, result.as_deref()) {
                    self.events.send(Event::News(news)).ok();
                }
            }
            Event::News(news) => self.news(news),
        }
    }

    fn news(&mut self, news: News) {
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

    /// Answers a request about one document.
    pub fn document_request(&mut self, route: &Route, params: Value) -> Result<Reply, Refusal> {
        let DocumentRequest { uri, answer } = route.read(params)?;
        if route.asks_for_diagnostics() {
            self.publisher.client_pulls();
        }
        let Some(document) = self.session.get(&uri) else { return route.not_open().map(Reply::Now) };
        if document.in_doubt && !route.asks_for_diagnostics() {
            return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned()));
        }
        let (number, progress) = self.open.compute(Some(uri.clone()));
        let lane = self.lanes.of(route.latency(self.session.client()));
        self.compute(lane, number, progress, Some(uri), move |_| (answer(&document), News::None));
        Ok(Reply::Later)
    }

    /// `workspace/symbol`
    pub fn symbols(&mut self, params: lsp::WorkspaceSymbolParams) -> Reply {
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let (number, progress) = self.open.compute(None);
        self.compute(&self.lanes.symbols, number, progress, None, move |progress| {
            (to_json(&workspace.symbols(&session, &params.query, &progress.cancelled)), News::None)
        });
        Reply::Later
    }

    /// `workspace/willRenameFiles`
    pub fn will_rename_files(&mut self, params: &lsp::RenameFilesParams) -> Reply {
        let renames = from_proto::renames(params);
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let (number, progress) = self.open.compute(None);
        self.compute(&self.lanes.symbols, number, progress, None, move |progress| {
            let found = workspace.renamed(&session, &renames, &progress.cancelled);
            (to_json(&to_proto::edits_of_documents(&found)), News::None)
        });
        Reply::Later
    }

    /// `workspace/diagnostic`
    pub fn workspace_diagnostics(&mut self, params: lsp::WorkspaceDiagnosticParams) -> Reply {
        self.publisher.client_pulls();
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let (number, progress) = self.open.compute(None);
        self.open.show(
            number,
            "Checking PSL programs",
            params.work_done_progress_params.work_done_token,
            self.session.now(),
        );
        self.compute(&self.lanes.workspace, number, progress, None, move |progress| {
            let found = workspace.diagnostics(&session, params.previous_result_ids, progress);
            let answer = to_json(&to_proto::workspace_diagnostics(found.items));
            (answer, News::Workspace { problems: found.problems, left_out: found.left_out, ran: None })
        });
        Reply::Later
    }

    /// `workspace/executeCommand`
    pub fn command(&mut self, params: lsp::ExecuteCommandParams) -> Result<Reply, Refusal> {
        let token = params.work_done_progress_params.work_done_token.clone();
        let (uri, command) = match from_proto::command(params)? {
            Command::Explain(explanation) => return to_json(&explanation).map(Reply::Now),
            Command::WorkspaceTests { run } => return Ok(self.workspace_tests(run, token)),
            Command::Explore(uri, request, form) => return self.explore(&uri, request, form),
            Command::Show(content) => return self.show(&content),
            Command::Apply(edits) => return self.apply(edits),
            Command::OfDocument(uri, command) => (uri, command),
        };
        self.execute(uri, command, token)
    }

    /// `workspace/textDocumentContent`
    pub fn content(
        &mut self,
        lsp::TextDocumentContentParams { uri }: lsp::TextDocumentContentParams,
    ) -> Result<Reply, Refusal> {
        let unknown = || Refusal::Parameters(format!("{uri} is not a document of this server"));
        let Content { program, emit } = Content::read(&uri).ok_or_else(unknown)?;
        let program = spelling::known(&program, &self.session).ok_or_else(unknown)?;
        self.contents.requested(uri, program.clone());
        self.execute(program, DocumentCommand::VirtualDocument(emit), None)
    }

    /// Asks the client to show a document of the server, which it then requests.
    fn show(&mut self, content: &Content) -> Result<Reply, Refusal> {
        let cannot = || Refusal::Failed("the editor cannot show documents of the server".to_owned());
        let uri = content.uri().filter(|_| self.client.can_show_content()).ok_or_else(cannot)?;
        self.client.show_content(uri.clone());
        to_json(&json!({"uri": uri})).map(Reply::Now)
    }

    /// Asks the client to apply the edits of a code action.
    fn apply(&mut self, edits: ActionEdits) -> Result<Reply, Refusal> {
        let document = self.session.get(&edits.uri).ok_or_else(|| not_open(&edits.uri))?;
        if document.in_doubt {
            return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned()));
        }
        if document.version != Some(edits.version) {
            return Err(Refusal::Failed(
                "the program has changed since: open the list of code actions again".to_owned(),
            ));
        }
        if self.client.apply(edits) {
            to_json(&Value::Null).map(Reply::Now)
        } else {
            Err(Refusal::Failed("the editor has not answered the last edit".to_owned()))
        }
    }

    /// Executes a command about a document.
    fn execute(
        &mut self,
        uri: Url,
        command: DocumentCommand,
        token: Option<lsp::ProgressToken>,
    ) -> Result<Reply, Refusal> {
        let program = match self.session.get(&uri) {
            Some(document) if document.in_doubt => return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned())),
            Some(document) => WorkspaceProgram::Open(document),
            None => {
                WorkspaceProgram::Closed(FilePath::of(&uri).filter(|_| !command.edits()).ok_or_else(|| not_open(&uri))?)
            }
        };
        let (number, progress) = self.open.compute(Some(uri));
        self.open.show(number, command.title(), token, self.session.now());
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let testing = self.testing.clone();
        self.compute(&self.lanes.commands, number, progress, None, move |progress| {
            if let WorkspaceProgram::Closed(file) = &program
                && !workspace.contains(&file.path)
            {
                return (Err(not_in_folder(&file.uri)), News::None);
            }
            let _running = command.tests().then(|| testing.begin());
            let document = match program.read(&session) {
                Ok(document) => document,
                Err(why) => return (Err(Refusal::Failed(why)), News::None),
            };
            let open = document.version.is_some();
            let news = |notice| News::Ran { notice, open: open && command.runs() };
            match commands::execute(&document, &command, progress) {
                Ok(answer) => (Ok(answer.value), news(answer.message)),
                Err(refusal) => (Err(refusal), news(None)),
            }
        });
        Ok(Reply::Later)
    }

    fn explore(&mut self, uri: &Url, run: RunRequest, form: ExplorerForm) -> Result<Reply, Refusal> {
        let document = self.session.get(uri).ok_or_else(|| not_open(uri))?;
        if document.in_doubt {
            return Err(Refusal::Failed(to_proto::IN_DOUBT.to_owned()));
        }
        let pages = self.explorer.clone();
        let (number, progress) = self.open.compute(None);
        self.compute(&self.lanes.commands, number, progress, None, move |_| {
            let answer = || {
                if form == ExplorerForm::Data {
                    let data = page_data(&name(&document), &document, FirstPrompt::default()).to_json()?;
                    return Ok((format!(r#"{{"program":{data}}}"#), News::None));
                }
                let first = FirstPrompt::new(document.file(), &document.run_history(), &run)?;
                if form == ExplorerForm::Page {
                    return Ok((to_json(&pages.whole_page(&document, first)?)?, News::None));
                }
                let address = pages.serve(&document, first)?;
                Ok((to_json(&json!({"url": address}))?, News::Served(address)))
            };
            answer().map_or_else(|refusal| (Err(refusal), News::None), |(value, news)| (Ok(value), news))
        });
        Ok(Reply::Later)
    }

    fn workspace_tests(&mut self, run: bool, token: Option<lsp::ProgressToken>) -> Reply {
        let (session, workspace) = (Arc::clone(&self.session), Arc::clone(&self.workspace));
        let testing = self.testing.clone();
        let (number, progress) = self.open.compute(None);
        let title = if run { "Running PSL tests" } else { "Finding PSL tests" };
        self.open.show(number, title, token, self.session.now());
        self.compute(&self.lanes.commands, number, progress, None, move |progress| {
            let _running = run.then(|| testing.begin());
            match workspace.tests(&session, run, progress) {
                Ok(WorkspaceTests { json, counts, problems, left_out }) => {
                    (Ok(json), News::Workspace { problems, left_out, ran: run.then(|| counts.notice()) })
                }
                Err(refusal) => (Err(refusal), News::None),
            }
        });
        Reply::Later
    }

    /// Computes an answer on another thread.
    fn compute(
        &self,
        lane: &Lane,
        number: i64,
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
            let computed = Defect::guard(|| compute(&progress));
            let (result, news) = computed.unwrap_or_else(|defect| (Err(defect.into()), News::None));
            events.send(Event::Answered { number, result, news }).ok();
        });
        lane.push(Job { document, cancelled, span: self.open.span(number), work });
    }

    /// The time of the next work that is not a message.
    pub fn next_work(&self) -> Option<Duration> {
        [self.publisher.next_tests(), self.contents.next()].into_iter().flatten().min()
    }

    /// Does the work that is due.
    pub fn do_due_work(&mut self) {
        self.publisher.run_due_tests();
        for uri in self.contents.take_due(self.session.now()) {
            self.client.refresh_content(uri);
        }
    }

    /// Reports progress.
    pub fn tick(&mut self) {
        self.open.tick(&mut self.client, self.session.now());
    }

    /// Cancels the requests with this id.
    pub fn cancel(&mut self, id: Option<&Value>) {
        if id.is_some_and(|id| self.open.cancel(id)) {
            self.lanes.sweep();
        }
    }

    /// `initialize`, with the client's parameters.
    pub fn initialize(&mut self, params: &Value) -> lsp::InitializeResult {
        let from_proto::Greeting { process, client, folders, settings } = from_proto::greeting(params);
        if let Some(process) = process {
            platform::watch(process);
        }
        self.greeted = true;
        self.session.set_client(client);
        self.client.set_client(client);
        self.workspace.change(folders, []);
        // Nothing is open yet, and no request may precede the answer.
        self.take_settings(&settings);
        greeting(client)
    }

    /// `psl/text`: the server's version and text of a document, for tests. Null if it is not open.
    pub fn text(&mut self, lsp::TextDocumentIdentifier { uri }: lsp::TextDocumentIdentifier) -> Result<Reply, Refusal> {
        let document = self.session.get(&uri);
        let text = document.map(|document| json!({"version": document.version, "text": &*document.text.text}));
        to_json(&text).map(Reply::Now)
    }
}

fn not_open(uri: &Url) -> Refusal {
    Refusal::Parameters(format!("{uri} is not open in the editor"))
}

fn not_in_folder(uri: &Url) -> Refusal {
    Refusal::Parameters(format!("{uri} is neither open in the editor nor in an open folder: open it first"))
}

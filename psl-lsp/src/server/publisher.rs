//! Unrequested messages: diagnostics after each edit, and those of tests after a pause.
//!
//! Invariant: published diagnostics belong to the current version. A newer version's diagnostics are never followed by
//! an older one's.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use gen_lsp_types::{LogMessageNotification, MessageType, PublishDiagnosticsNotification, ShowMessageNotification};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    client_requests::{ClientRequests, Refresh},
    config_reports::{ConfigReport, ConfigReports},
    event::{Checked, Event},
    job::Job,
    lanes::Lanes,
    message,
    outbox::Outbox,
    testing::Testing,
};
use crate::{
    document::Document,
    session::{Replaced, Session},
    to_proto,
    uri::Url,
};

/// Pause in typing before the file's tests run.
const PAUSE: Duration = Duration::from_millis(150);
/// Times of a search in the background: one after which what was found is offered, and a longer one if nothing was
/// found.
const SEARCHES: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(10)];

/// Maximum number of messages to remember, so that none is shown twice.
const REPORTED: usize = 1_000;

/// Sends unrequested messages.
pub struct Publisher {
    session: Arc<Session>,
    outbox: Outbox,
    lanes: Lanes,
    events: UnboundedSender<Event>,
    testing: Testing,
    /// Whether the client requests diagnostics. It would show published ones twice.
    pulls: bool,
    /// The times at which the tests of documents run, unless the documents change before.
    pauses: HashMap<Url, Duration>,
    config_reports: ConfigReports,
    /// The messages about the configuration since it last changed.
    reported: HashSet<String>,
}

impl Publisher {
    /// Creates the publisher of a new session.
    pub fn new(
        session: Arc<Session>,
        outbox: Outbox,
        lanes: Lanes,
        events: UnboundedSender<Event>,
        testing: Testing,
    ) -> Self {
        Self {
            testing,
            session,
            outbox,
            lanes,
            events,
            pulls: false,
            pauses: HashMap::new(),
            config_reports: ConfigReports::default(),
            reported: HashSet::new(),
        }
    }

    /// Checks a new version soon.
    pub fn replaced(&mut self, Replaced { new, old }: Replaced) {
        self.pauses.remove(&new.uri);
        self.lanes.discard(old);
        let (session, events, uri) = (Arc::clone(&self.session), self.events.clone(), new.uri.clone());
        drop(new);
        self.lanes.checks.push_newest(Job::about(uri.clone(), "diagnostics", move || {
            // A version that is outdated by now is skipped.
            let Some(document) = session.get(&uri) else { return };
            let message = publication(&document);
            if session.is_current(&document) {
                events.send(Event::Checked(Checked { document, message, tests: None })).ok();
            }
        }));
    }

    /// Publishes the diagnostics of a version that is still current. Its tests run after a pause without a newer
    /// version.
    pub fn checked(&mut self, Checked { document, message, tests }: Checked, client: &mut ClientRequests) {
        if !self.session.is_current(&document) {
            return self.lanes.discard(Some(document));
        }
        if !self.pulls {
            self.outbox.publish(document.uri.clone(), message);
        } else if tests == Some(true) {
            client.refresh(Refresh::Diagnostics);
        }
        if tests.is_some() {
            client.refresh(Refresh::Hints);
            client.refresh(Refresh::Lenses);
            return;
        }
        if document.is_config() {
            return;
        }
        let problem = document.config_problem();
        if let Some(problem) = problem {
            self.report_once(MessageType::Error, &problem.problem.to_string());
        }
        let reports = self.config_reports.note(&document.uri, problem.filter(|_| !self.pulls));
        self.publish_configs(reports);
        let is_json = |name: &&str| Path::new(name).extension().is_some_and(|extension| extension == "json");
        document.file().prompt_file_names().filter(|name| !is_json(name)).for_each(|name| client.watch(name));
        if !document.in_doubt && !document.file().program().tests.is_empty() {
            self.pauses.insert(document.uri.clone(), self.session.now() + PAUSE);
        }
    }

    fn publish_configs(&self, reports: Vec<ConfigReport>) {
        for (uri, problem) in reports {
            // An open `psl.toml` has its own diagnostics.
            if self.session.get(&uri).is_some() {
                continue;
            }
            let Some(problem) = problem else {
                self.outbox.withdraw(uri, None);
                continue;
            };
            let found = to_proto::config_diagnostics(&problem.problem, self.session.client().encoding);
            let params = to_proto::publication(uri.clone(), None, found);
            self.outbox.publish(uri, message::tell::<PublishDiagnosticsNotification>(&params));
        }
    }

    /// The time of the next test run.
    pub fn next_tests(&self) -> Option<Duration> {
        self.pauses.values().min().copied()
    }

    /// Runs the tests of documents that have not changed for a while.
    pub fn run_due_tests(&mut self) {
        let now = self.session.now();
        for (uri, _) in self.pauses.extract_if(|_, due| *due <= now) {
            let Some(document) = self.session.get(&uri) else { continue };
            let (waiting, events, testing) = (Arc::downgrade(&document), self.events.clone(), self.testing.clone());
            let searches = self.lanes.searches.clone();
            self.lanes.tests.push_newest(Job::about(uri, "tests", move || {
                let Some(document) = waiting.upgrade() else { return };
                let _running = testing.begin();
                // A newer version stops them.
                document.run_tests();
                if document.report().is_some() {
                    let tests = Some(document.tests_show_more());
                    let message = publication(&document);
                    events.send(Event::Checked(Checked { document: Arc::clone(&document), message, tests })).ok();
                }
                if document.environment.settings.background_search && !document.is_superseded() {
                    searches.push_newest(background_search(&document));
                }
            }));
        }
    }

    /// Clears diagnostics that were published while the document was not open, since a client that requests diagnostics
    /// gets no others.
    pub fn opened(&self, uri: &Url, version: i32) {
        if self.pulls {
            self.outbox.withdraw(uri.clone(), Some(version));
        }
    }

    /// Forgets a closed document and clears its diagnostics.
    pub fn closed(&mut self, uri: Url, last: Option<Arc<Document>>) {
        self.pauses.remove(&uri);
        let reports = self.config_reports.note(&uri, None);
        self.publish_configs(reports);
        match self.config_reports.of(&uri) {
            Some(problem) => self.publish_configs(vec![(uri, Some(problem))]),
            None => self.outbox.withdraw(uri, None),
        }
        self.lanes.discard(last);
    }

    /// Records that the client requests diagnostics, and clears published ones.
    pub fn client_pulls(&mut self) {
        if !self.pulls {
            self.pulls = true;
            let reports = self.config_reports.clear();
            self.publish_configs(reports);
            for uri in self.outbox.shown() {
                let version = self.session.get(&uri).and_then(|document| document.version);
                self.outbox.withdraw(uri, version);
            }
        }
    }

    /// Checks open documents again if their tests' prompts may be in these files.
    pub fn check_tests_of(&self, files: &[PathBuf]) {
        for document in self.session.all() {
            let (files, events) = (files.to_vec(), self.events.clone());
            self.lanes.checks.push(Job::about(document.uri.clone(), "prompt files", move || {
                if tests_name(&document, &files) {
                    events.send(Event::Outdated(document.uri.clone())).ok();
                }
            }));
        }
    }

    /// Checks an open document again because its inputs have changed.
    pub fn check_again(&mut self, uri: &Url) {
        if let Some(renewed) = self.session.renew(uri) {
            self.replaced(renewed);
        }
    }

    /// Checks all open documents again.
    pub fn check_all(&mut self, client: &mut ClientRequests) {
        for document in self.session.all() {
            self.check_again(&document.uri);
        }
        for what in [Refresh::Diagnostics, Refresh::Hints, Refresh::Lenses] {
            client.refresh(what);
        }
    }

    /// Shows a message about the configuration once until the configuration changes.
    pub fn report_once(&mut self, kind: MessageType, message: &str) {
        if self.reported.len() >= REPORTED {
            self.reported.clear();
        }
        if self.reported.insert(message.to_owned()) {
            self.show(kind, message.to_owned());
        }
    }

    /// Forgets the messages about the configuration, since it has changed.
    pub fn reset_reported(&mut self) {
        self.reported.clear();
    }

    /// Shows a message to the user.
    pub fn show(&self, kind: MessageType, message: String) {
        self.outbox.notify(message::tell::<ShowMessageNotification>(&to_proto::message(kind, message)));
    }

    /// Writes a warning to the client's log.
    pub fn log(&self, message: String) {
        self.outbox.notify(message::tell::<LogMessageNotification>(&to_proto::log(message)));
    }
}

/// Searches for what would make the tests of a version pass, unless they do. A newer version ends the search.
fn background_search(document: &Arc<Document>) -> Job {
    let waiting = Arc::downgrade(document);
    Job::about(document.uri.clone(), "search", move || {
        if let Some(document) = waiting.upgrade()
            && let Some(search) = document.wanted_search()
        {
            // Whoever asks for a search gets the reason if there can be none.
            for time in SEARCHES {
                document.search(search, time, document.superseded()).ok();
            }
        }
    })
}

/// The notification that publishes a version's diagnostics.
fn publication(document: &Document) -> String {
    let diagnostics = to_proto::diagnostics(document);
    let params = to_proto::publication(document.uri.clone(), document.version, diagnostics);
    message::tell::<PublishDiagnosticsNotification>(&params)
}

/// Whether a test may have its prompt in one of these files, judged by file names: the path may contain links and `..`.
fn tests_name(document: &Document, files: &[PathBuf]) -> bool {
    document
        .file()
        .prompt_file_names()
        .any(|name| files.iter().any(|file| file.file_name().is_some_and(|file| file == name)))
}

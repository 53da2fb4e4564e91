//! What the client did not ask for: diagnostics after each edit, and those of tests after a pause.
//!
//! Invariant: what is published belongs to the version that is current, and a newer version's diagnostics are never followed by an
//! older one's.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crossbeam_channel::Sender;
use lsp_types::{MessageType, Url, notification};

use super::{
    client_requests::{ClientRequests, Refresh},
    config_reports::{ConfigReport, ConfigReports},
    event::{Checked, Event},
    lanes::{Job, Lanes},
    message,
    outbox::Outbox,
    testing::Testing,
};
use crate::{
    document::Document,
    session::{Replaced, Session},
    to_proto,
};

/// How long typing must pause before the file's tests run.
const PAUSE: Duration = Duration::from_millis(150);

/// As many messages are remembered, so that none is shown twice.
const REPORTED: usize = 1_000;

/// Sends what the client did not ask for.
pub struct Publisher {
    session: Arc<Session>,
    outbox: Outbox,
    lanes: Lanes,
    events: Sender<Event>,
    testing: Testing,
    /// Whether the client asks for diagnostics itself: it would show twice what is also sent.
    pulls: bool,
    /// When the tests of documents run, unless they change before.
    pauses: HashMap<Url, Instant>,
    config_reports: ConfigReports,
    /// What was said of the configuration since it last changed.
    reported: HashSet<String>,
}

impl Publisher {
    /// For a client that has just come.
    pub fn new(session: Arc<Session>, outbox: Outbox, lanes: Lanes, events: Sender<Event>, testing: Testing) -> Self {
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

    /// Checks the version that took the place of another, soon.
    pub fn replaced(&mut self, Replaced { new, old }: Replaced) {
        self.pauses.remove(&new.uri);
        self.lanes.discard(old);
        let (session, events, uri) = (Arc::clone(&self.session), self.events.clone(), new.uri.clone());
        drop(new);
        self.lanes.checks.push_newest(Job::about(uri.clone(), move || {
            // While the work waited, nothing was kept of a version that is outdated by now.
            let Some(document) = session.get(&uri) else { return };
            let message = publication(&document);
            if session.is_current(&document) {
                events.send(Event::Checked(Checked { document, message, tests: None })).ok();
            }
        }));
    }

    /// Publishes the diagnostics of a version that is still current; its tests run when no newer one comes for a while.
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
            self.report_once(MessageType::ERROR, &problem.to_string());
        }
        let reports = self.config_reports.note(&document.uri, problem.filter(|_| !self.pulls));
        self.publish_configs(reports);
        let is_json = |name: &&str| Path::new(name).extension().is_some_and(|extension| extension == "json");
        document.file().prompt_file_names().filter(|name| !is_json(name)).for_each(|name| client.watch(name));
        if !document.in_doubt && !document.file().checked().analysis.program.tests.is_empty() {
            self.pauses.insert(document.uri.clone(), Instant::now() + PAUSE);
        }
    }

    fn publish_configs(&self, reports: Vec<ConfigReport>) {
        for (uri, problem) in reports {
            // An open one speaks for itself.
            if self.session.get(&uri).is_some() {
                continue;
            }
            let Some(problem) = problem else {
                self.outbox.withdraw(uri, None);
                continue;
            };
            let found = to_proto::config_diagnostics(&problem, self.session.client().encoding);
            let params = to_proto::publication(uri.clone(), None, found);
            self.outbox.publish(uri, message::tell::<notification::PublishDiagnostics>(&params));
        }
    }

    /// When the next tests are to run.
    pub fn next_tests(&self) -> Option<Instant> {
        self.pauses.values().min().copied()
    }

    /// Runs the tests of the documents that have not changed for a while.
    pub fn run_due_tests(&mut self) {
        let now = Instant::now();
        for (uri, _) in self.pauses.extract_if(|_, due| *due <= now) {
            let Some(document) = self.session.get(&uri) else { continue };
            let (waiting, events, testing) = (Arc::downgrade(&document), self.events.clone(), self.testing.clone());
            self.lanes.tests.push_newest(Job::about(uri, move || {
                let Some(document) = waiting.upgrade() else { return };
                let _running = testing.begin();
                // A newer version ends them.
                document.run_tests();
                if document.report().is_some() {
                    let tests = Some(to_proto::tests_show_more(&document));
                    let message = publication(&document);
                    events.send(Event::Checked(Checked { document, message, tests })).ok();
                }
            }));
        }
    }

    /// Takes away what was said of a document while it was not open: a client that asks for diagnostics itself is sent no others.
    pub fn opened(&self, uri: &Url, version: i32) {
        if self.pulls {
            self.outbox.withdraw(uri.clone(), Some(version));
        }
    }

    /// Forgets a closed document and takes its diagnostics away.
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

    /// Notes that the client asks for diagnostics itself, and takes away what was sent.
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

    /// Checks anew the open documents whose tests may have their prompts in these files.
    pub fn check_tests_of(&self, files: &[PathBuf]) {
        for document in self.session.all() {
            let (files, events) = (files.to_vec(), self.events.clone());
            self.lanes.checks.push(Job::about(document.uri.clone(), move || {
                if tests_name(&document, &files) {
                    events.send(Event::Outdated(document.uri.clone())).ok();
                }
            }));
        }
    }

    /// Checks an open document anew: what it is computed with has changed.
    pub fn check_anew(&mut self, uri: &Url) {
        if let Some(renewed) = self.session.renew(uri) {
            self.replaced(renewed);
        }
    }

    /// Checks every open document anew.
    pub fn check_all(&mut self, client: &mut ClientRequests) {
        for document in self.session.all() {
            self.check_anew(&document.uri);
        }
        for what in [Refresh::Diagnostics, Refresh::Hints, Refresh::Lenses] {
            client.refresh(what);
        }
    }

    /// Says what is wrong with the configuration, once until it changes.
    pub fn report_once(&mut self, kind: MessageType, message: &str) {
        if self.reported.len() >= REPORTED {
            self.reported.clear();
        }
        if self.reported.insert(message.to_owned()) {
            self.show(kind, message.to_owned());
        }
    }

    /// Forgets what was said of the configuration: it has changed.
    pub fn reset_reported(&mut self) {
        self.reported.clear();
    }

    /// Shows people a message.
    pub fn show(&self, kind: MessageType, message: String) {
        self.outbox.notify(message::tell::<notification::ShowMessage>(&to_proto::message(kind, message)));
    }
}

/// The notification that publishes a version's diagnostics.
fn publication(document: &Document) -> String {
    let diagnostics = to_proto::diagnostics(document);
    let params = to_proto::publication(document.uri.clone(), document.version, diagnostics);
    message::tell::<notification::PublishDiagnostics>(&params)
}

/// Whether a test has its prompt in one of these files, as far as file names tell: links and `..` may lead to it.
fn tests_name(document: &Document, files: &[PathBuf]) -> bool {
    document
        .file()
        .prompt_file_names()
        .any(|name| files.iter().any(|file| file.file_name().is_some_and(|file| file == name)))
}

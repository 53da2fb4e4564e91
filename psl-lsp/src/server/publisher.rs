//! What the client did not ask for: diagnostics, messages, and requests to ask again.
//!
//! Invariant: what is published belongs to the version that is current, and a newer version's diagnostics are never followed by an
//! older one's.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lsp_types as lsp;
use tokio::sync::Semaphore;
use tower_lsp::{Client, jsonrpc};

use super::{blocking::blocking, patience::in_time};
use crate::{
    capabilities::registration_of,
    config_reports::{ConfigReport, ConfigReports},
    document::Document,
    requests::published_diagnostics,
    session::{Replaced, Session},
    to_proto,
};

/// How long typing must pause before the file's tests run.
const PAUSE: Duration = Duration::from_millis(150);
/// How many documents are checked side by side; an outdated version in the queue is passed over.
const CHECKS: usize = 2;

/// Sends what the client did not ask for.
#[derive(Clone)]
pub struct Publisher {
    /// The client.
    pub client: Client,
    /// The session.
    pub session: Arc<Session>,
    checks: Arc<Semaphore>,
    /// Held from the look whether a version is current to the sending of its diagnostics.
    sending: Arc<tokio::sync::Mutex<()>>,
    /// Whether the client asks for diagnostics itself: it would show twice what is also sent.
    pulls: Arc<AtomicBool>,
    refreshing: Arc<Mutex<HashMap<Refresh, bool>>>,
    reported: Arc<Mutex<HashSet<String>>>,
    config_reports: Arc<Mutex<ConfigReports>>,
    /// The files with prompts of tests that the client was asked to watch, by name, besides those in `.json`.
    watched: Arc<Mutex<HashSet<String>>>,
}

/// What the client can be told to ask for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refresh {
    /// Code lenses.
    Lenses,
    /// Diagnostics.
    Diagnostics,
    /// Inlay hints.
    Hints,
}

impl Publisher {
    /// For one client.
    pub fn new(client: Client, session: Arc<Session>) -> Self {
        Self {
            client,
            session,
            checks: Arc::new(Semaphore::new(CHECKS)),
            sending: Arc::default(),
            pulls: Arc::default(),
            refreshing: Arc::default(),
            reported: Arc::default(),
            config_reports: Arc::default(),
            watched: Arc::default(),
        }
    }

    /// Checks the version that took the place of another.
    pub fn replaced(&self, Replaced { new, old }: Replaced) {
        self.check(new);
        // To take apart what is known of a long text takes milliseconds, and the next message waits.
        rayon::spawn(move || drop(old));
    }

    /// Checks a version soon and publishes its diagnostics; when no newer one has come for a while, those that its tests show too.
    fn check(&self, document: Arc<Document>) {
        let publisher = self.clone();
        tokio::spawn(async move {
            let Some(first) = publisher.publish(&document).await else { return };
            publisher.watch_prompts(&document);
            if document.file().checked().analysis.program.tests.is_empty() {
                return;
            }
            // While typing goes on, nothing is kept of a version that is outdated.
            let waiting = Arc::downgrade(&document);
            drop(document);
            tokio::time::sleep(PAUSE).await;
            let Some(document) = waiting.upgrade().filter(|document| publisher.session.is_current(document)) else {
                return;
            };
            let testing = Arc::clone(&document);
            // A newer version ends them.
            if blocking(move || testing.run_tests()).await.is_ok() && document.report().is_some() {
                publisher.tested(&document, &first).await;
            }
        });
    }

    /// The diagnostics of a version that is still current, published unless the client asks for them itself.
    async fn publish(&self, document: &Arc<Document>) -> Option<Vec<lsp::Diagnostic>> {
        let found = {
            let _permit = self.checks.acquire().await.ok()?;
            if !self.session.is_current(document) {
                return None;
            }
            let computing = Arc::clone(document);
            blocking(move || published_diagnostics(&computing)).await.ok()?
        };
        let _sending = self.sending.lock().await;
        if !self.session.is_current(document) {
            return None;
        }
        if !self.pulls.load(Ordering::Acquire) {
            self.client.publish_diagnostics(document.uri.clone(), found.clone(), document.version).await;
        }
        let problem = document.config_problem();
        if let Some(problem) = problem {
            self.report_once(lsp::MessageType::ERROR, &problem.to_string());
        }
        let reports =
            self.config_reports().note(&document.uri, problem.filter(|_| !self.pulls.load(Ordering::Acquire)));
        self.publish_configs(reports).await;
        Some(found)
    }

    fn config_reports(&self) -> MutexGuard<'_, ConfigReports> {
        self.config_reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn publish_configs(&self, reports: Vec<ConfigReport>) {
        let encoding = self.session.client().encoding;
        for (uri, problem) in reports {
            let found = problem.map(|problem| to_proto::config_diagnostic(&problem, encoding)).into_iter().collect();
            self.client.publish_diagnostics(uri, found, None).await;
        }
    }

    /// Shows what the tests of a version showed.
    async fn tested(&self, document: &Arc<Document>, first: &[lsp::Diagnostic]) {
        self.request_refresh(Refresh::Hints);
        self.request_refresh(Refresh::Lenses);
        if self.pulls.load(Ordering::Acquire) {
            let computing = Arc::clone(document);
            if blocking(move || published_diagnostics(&computing)).await.is_ok_and(|found| found != first) {
                self.request_refresh(Refresh::Diagnostics);
            }
        } else {
            self.publish(document).await;
        }
    }

    /// Takes a closed document's diagnostics away.
    pub fn forget(&self, uri: lsp::Url) {
        let publisher = self.clone();
        tokio::spawn(async move {
            let _sending = publisher.sending.lock().await;
            if publisher.session.get(&uri).is_none() {
                let reports = publisher.config_reports().note(&uri, None);
                publisher.publish_configs(reports).await;
                publisher.client.publish_diagnostics(uri, Vec::new(), None).await;
            }
        });
    }

    /// Notes that the client asks for diagnostics itself, and takes away what was sent.
    pub fn client_pulls(&self) {
        if self.pulls.swap(true, Ordering::AcqRel) {
            return;
        }
        let publisher = self.clone();
        tokio::spawn(async move {
            let _sending = publisher.sending.lock().await;
            for document in publisher.session.all() {
                publisher.client.publish_diagnostics(document.uri.clone(), Vec::new(), document.version).await;
            }
            let reports = publisher.config_reports().clear();
            publisher.publish_configs(reports).await;
        });
    }

    /// Makes the client tell of changes of the files that hold tests' prompts, where it can.
    fn watch_prompts(&self, document: &Document) {
        if !self.session.client().watches_files {
            return;
        }
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let is_json = |name: &&str| Path::new(name).extension().is_some_and(|extension| extension == "json");
        for name in document.file().prompt_file_names().filter(|name| !is_json(name)) {
            if watched.insert(name.to_owned()) {
                let (client, registration) = (self.client.clone(), registration_of(name));
                // A client that refuses does not tell; saving the program reads the file again too.
                tokio::spawn(async move { client.register_capability(vec![registration]).await });
            }
        }
    }

    /// Checks anew the open documents whose tests may have their prompts in these files.
    pub fn check_tests_of(&self, files: &[PathBuf]) {
        for document in self.session.all() {
            let publisher = self.clone();
            let files = files.to_vec();
            tokio::spawn(async move {
                let uri = document.uri.clone();
                let names = blocking(move || tests_name(&document, &files)).await;
                if names.is_ok_and(|names| names)
                    && let Some(renewed) = publisher.session.renew(&uri)
                {
                    publisher.replaced(renewed);
                }
            });
        }
    }

    /// Checks every open document anew, whose settings may have changed.
    pub fn check_all(&self) {
        for document in self.session.all() {
            if let Some(renewed) = self.session.renew(&document.uri) {
                self.replaced(renewed);
            }
        }
        self.request_refresh(Refresh::Diagnostics);
        self.request_refresh(Refresh::Hints);
        self.request_refresh(Refresh::Lenses);
    }

    /// Makes the client ask for something again, where it can. One that does not answer is not told any more.
    pub fn request_refresh(&self, what: Refresh) {
        let traits = self.session.client();
        let supported = match what {
            Refresh::Lenses => traits.lens_refresh,
            Refresh::Diagnostics => traits.diagnostic_refresh,
            Refresh::Hints => traits.hint_refresh,
        };
        if !supported || self.refreshing().insert(what, true).is_some() {
            return;
        }
        let publisher = self.clone();
        tokio::spawn(async move {
            while publisher.refreshing().insert(what, false) == Some(true) {
                let asked = publisher.clone();
                if in_time(async move { asked.request(what).await }).await.is_none() {
                    return;
                }
            }
            publisher.refreshing().remove(&what);
        });
    }

    fn refreshing(&self) -> MutexGuard<'_, HashMap<Refresh, bool>> {
        self.refreshing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn request(&self, what: Refresh) -> jsonrpc::Result<()> {
        match what {
            Refresh::Lenses => self.client.code_lens_refresh().await,
            Refresh::Diagnostics => self.client.workspace_diagnostic_refresh().await,
            Refresh::Hints => self.client.inlay_hint_refresh().await,
        }
    }

    /// Says what is wrong with the configuration, unless that was the last thing said of it.
    pub fn report_once(&self, kind: lsp::MessageType, message: &str) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.insert(message.to_owned()) {
            self.message(kind, message.to_owned());
        }
    }

    /// Forgets what was said of the configuration: it has changed.
    pub fn reset_reported(&self) {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Shows what a run gave.
    pub fn show(&self, message: String, good: bool) {
        if self.session.client().show_results {
            self.message(if good { lsp::MessageType::INFO } else { lsp::MessageType::WARNING }, message);
        }
    }

    fn message(&self, kind: lsp::MessageType, message: String) {
        let client = self.client.clone();
        tokio::spawn(async move { client.show_message(kind, message).await });
    }
}

/// Whether a test has its prompt in one of these files, as far as file names tell: links and `..` may lead to it.
fn tests_name(document: &Document, files: &[PathBuf]) -> bool {
    document
        .file()
        .prompt_file_names()
        .any(|name| files.iter().any(|file| file.file_name().is_some_and(|file| file == name)))
}

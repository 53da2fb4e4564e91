//! What the client did not ask for: diagnostics, messages, and requests to ask again.
//!
//! Invariant: what is published belongs to the version that is current, and a newer version's diagnostics are never followed by an
//! older one's.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::sync::Semaphore;
use tower_lsp::{Client, jsonrpc, lsp_types as lsp};

use crate::server::{
    backend::blocking,
    capabilities::registration_of,
    diagnostics::diagnostics,
    documents::{Documents, Snapshot},
};

/// How long the client may take to answer a request that nothing waits for.
const CLIENT_PATIENCE: Duration = Duration::from_secs(5);
/// How long typing must pause before the file's tests run.
const PAUSE: Duration = Duration::from_millis(150);
/// How many documents are checked side by side; an outdated version in the queue is passed over.
const CHECKS: usize = 2;

/// Sends what the client did not ask for.
#[derive(Clone)]
pub struct Publisher {
    /// The client.
    pub client: Client,
    /// The open documents.
    pub documents: Arc<Documents>,
    checks: Arc<Semaphore>,
    /// Held from the look whether a version is current to the sending of its diagnostics.
    sending: Arc<tokio::sync::Mutex<()>>,
    /// Whether the client asks for diagnostics itself: it would show twice what is also sent.
    pulls: Arc<AtomicBool>,
    asked: Arc<Mutex<HashMap<Refresh, bool>>>,
    said: Arc<Mutex<HashSet<String>>>,
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
    pub fn new(client: Client, documents: Arc<Documents>) -> Self {
        Self {
            client,
            documents,
            checks: Arc::new(Semaphore::new(CHECKS)),
            sending: Arc::default(),
            pulls: Arc::default(),
            asked: Arc::default(),
            said: Arc::default(),
            watched: Arc::default(),
        }
    }

    /// Checks a version soon and publishes its diagnostics; when no newer one has come for a while, those that its tests show too.
    pub fn check(&self, snapshot: Arc<Snapshot>) {
        let publisher = self.clone();
        tokio::spawn(async move {
            let Some(first) = publisher.publish(&snapshot).await else { return };
            publisher.watch_prompts(&snapshot);
            if snapshot.checked().analysis.program.tests.is_empty() {
                return;
            }
            // While typing goes on, nothing is kept of a version that is outdated.
            let waiting = Arc::downgrade(&snapshot);
            drop(snapshot);
            tokio::time::sleep(PAUSE).await;
            let Some(snapshot) = waiting.upgrade().filter(|snapshot| publisher.documents.is_current(snapshot)) else {
                return;
            };
            let testing = Arc::clone(&snapshot);
            // A newer version ends them.
            if blocking(move || testing.gather_evidence()).await.is_ok() && snapshot.evidence().is_some() {
                publisher.tested(&snapshot, &first).await;
            }
        });
    }

    /// The diagnostics of a version that is still current, published unless the client asks for them itself.
    async fn publish(&self, snapshot: &Arc<Snapshot>) -> Option<Vec<lsp::Diagnostic>> {
        let found = {
            let _permit = self.checks.acquire().await.ok()?;
            if !self.documents.is_current(snapshot) {
                return None;
            }
            let computing = Arc::clone(snapshot);
            blocking(move || of(&computing)).await.ok()?
        };
        let _sending = self.sending.lock().await;
        if !self.documents.is_current(snapshot) {
            return None;
        }
        if !self.pulls.load(Ordering::Acquire) {
            self.client.publish_diagnostics(snapshot.uri.clone(), found.clone(), snapshot.version).await;
        }
        if let Err(message) = snapshot.configured() {
            self.complain(lsp::MessageType::ERROR, message);
        }
        Some(found)
    }

    /// Shows what the tests of a version showed.
    async fn tested(&self, snapshot: &Arc<Snapshot>, first: &[lsp::Diagnostic]) {
        self.ask_again(Refresh::Hints);
        self.ask_again(Refresh::Lenses);
        if self.pulls.load(Ordering::Acquire) {
            let computing = Arc::clone(snapshot);
            if blocking(move || of(&computing)).await.is_ok_and(|found| found != first) {
                self.ask_again(Refresh::Diagnostics);
            }
        } else {
            self.publish(snapshot).await;
        }
    }

    /// Takes a closed document's diagnostics away.
    pub fn forget(&self, uri: lsp::Url) {
        let publisher = self.clone();
        tokio::spawn(async move {
            let _sending = publisher.sending.lock().await;
            if publisher.documents.get(&uri).is_none() {
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
            for snapshot in publisher.documents.all() {
                publisher.client.publish_diagnostics(snapshot.uri.clone(), Vec::new(), snapshot.version).await;
            }
        });
    }

    /// Makes the client tell of changes of the files that hold tests' prompts, where it can.
    fn watch_prompts(&self, snapshot: &Snapshot) {
        if !self.documents.traits().watches_files {
            return;
        }
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let is_json = |name: &&str| Path::new(name).extension().is_some_and(|extension| extension == "json");
        for name in snapshot.prompt_files().filter(|name| !is_json(name)) {
            if watched.insert(name.to_owned()) {
                let (client, registration) = (self.client.clone(), registration_of(name));
                // A client that refuses does not tell; saving the program reads the file again too.
                tokio::spawn(async move { client.register_capability(vec![registration]).await });
            }
        }
    }

    /// Checks anew the open documents whose tests may have their prompts in these files.
    pub fn check_tests_of(&self, files: &[PathBuf]) {
        for snapshot in self.documents.all() {
            let publisher = self.clone();
            let files = files.to_vec();
            tokio::spawn(async move {
                let uri = snapshot.uri.clone();
                let names = blocking(move || snapshot.tests_name(&files)).await;
                if names.is_ok_and(|names| names)
                    && let Some(renewed) = publisher.documents.renew(&uri)
                {
                    publisher.check(renewed);
                }
            });
        }
    }

    /// Checks every open document anew, whose settings may have changed.
    pub fn check_all(&self) {
        for snapshot in self.documents.all() {
            if let Some(renewed) = self.documents.renew(&snapshot.uri) {
                self.check(renewed);
            }
        }
        self.ask_again(Refresh::Diagnostics);
        self.ask_again(Refresh::Hints);
        self.ask_again(Refresh::Lenses);
    }

    /// Makes the client ask for something again, where it can. One that does not answer is not told any more.
    pub fn ask_again(&self, what: Refresh) {
        let traits = self.documents.traits();
        let supported = match what {
            Refresh::Lenses => traits.lens_refresh,
            Refresh::Diagnostics => traits.diagnostic_refresh,
            Refresh::Hints => traits.hint_refresh,
        };
        if !supported || self.asked().insert(what, true).is_some() {
            return;
        }
        let publisher = self.clone();
        tokio::spawn(async move {
            while publisher.asked().insert(what, false) == Some(true) {
                let asked = publisher.clone();
                if in_time(async move { asked.request(what).await }).await.is_none() {
                    return;
                }
            }
            publisher.asked().remove(&what);
        });
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<Refresh, bool>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn request(&self, what: Refresh) -> jsonrpc::Result<()> {
        match what {
            Refresh::Lenses => self.client.code_lens_refresh().await,
            Refresh::Diagnostics => self.client.workspace_diagnostic_refresh().await,
            Refresh::Hints => self.client.inlay_hint_refresh().await,
        }
    }

    /// Says what is wrong with the configuration, unless that was the last thing said of it.
    pub fn complain(&self, kind: lsp::MessageType, message: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(message.to_owned()) {
            self.message(kind, message.to_owned());
        }
    }

    /// Forgets what was said of the configuration: it has changed.
    pub fn listen_anew(&self) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Shows what a run gave.
    pub fn show(&self, message: String, good: bool) {
        if self.documents.traits().show_results {
            self.message(if good { lsp::MessageType::INFO } else { lsp::MessageType::WARNING }, message);
        }
    }

    fn message(&self, kind: lsp::MessageType, message: String) {
        let client = self.client.clone();
        tokio::spawn(async move { client.show_message(kind, message).await });
    }
}

/// The client's answer to a request, if it comes in time. One that comes later is still received: the library counts on that.
pub async fn in_time<T: Send + 'static>(answer: impl Future<Output = T> + Send + 'static) -> Option<T> {
    tokio::time::timeout(CLIENT_PATIENCE, tokio::spawn(answer)).await.ok()?.ok()
}

/// The diagnostics of a version, as the client takes them.
pub fn of(snapshot: &Snapshot) -> Vec<lsp::Diagnostic> {
    diagnostics(snapshot).iter().map(|diagnostic| snapshot.diagnostic(diagnostic)).collect()
}

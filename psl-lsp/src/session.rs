//! A session with a client: its open documents and their shared inputs.
//!
//! Invariant: every function here returns at once. None computes, blocks or waits for the client.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use psl_syntax::SourceText;

use crate::{
    client_capabilities::ClientCapabilities,
    document::{Document, Environment},
    encoded_text::{Change, EncodedText},
    host::Host,
    settings::Settings,
    uri::Url,
};

/// A session with a client.
pub struct Session {
    environment: Mutex<Arc<Environment>>,
    open: Mutex<HashMap<Url, Arc<Document>>>,
    /// The texts of changed versions. The thread that made them frees them here: the allocator keeps what another one
    /// frees for dozens of further changes.
    texts: Mutex<Vec<SourceText>>,
    shut_down: AtomicBool,
}

/// A new version of a document.
pub struct Replaced {
    /// The current version.
    pub new: Arc<Document>,
    /// The preceding version. Freeing the facts about a long text takes milliseconds, so drop it on another thread.
    pub old: Option<Arc<Document>>,
}

impl Session {
    /// Creates a session without open documents on this host.
    pub fn new(host: Arc<dyn Host>) -> Self {
        let environment = Environment { host, client: ClientCapabilities::default(), settings: Settings::default() };
        Self {
            environment: Mutex::new(Arc::new(environment)),
            open: Mutex::default(),
            texts: Mutex::default(),
            shut_down: AtomicBool::new(false),
        }
    }

    /// The inputs that documents share from now on.
    pub fn environment(&self) -> Arc<Environment> {
        Arc::clone(&self.lock_environment())
    }

    /// The time since a fixed moment.
    pub fn now(&self) -> Duration {
        self.environment().host.clock()
    }

    /// The client's capabilities.
    pub fn client(&self) -> ClientCapabilities {
        self.lock_environment().client
    }

    /// Sets the client's capabilities.
    pub fn set_client(&self, client: ClientCapabilities) {
        let mut environment = self.lock_environment();
        let Environment { host, settings, .. } = environment.as_ref();
        *environment = Arc::new(Environment { host: Arc::clone(host), client, settings: settings.clone() });
    }

    /// Sets the user's settings, and returns whether they have changed.
    pub fn set_settings(&self, settings: Settings) -> bool {
        let mut environment = self.lock_environment();
        let changed = environment.settings != settings;
        if changed {
            let Environment { host, client, .. } = environment.as_ref();
            *environment = Arc::new(Environment { host: Arc::clone(host), client: *client, settings });
        }
        changed
    }

    /// The newest version of an open document.
    pub fn get(&self, uri: &Url) -> Option<Arc<Document>> {
        self.lock_open().get(uri).cloned()
    }

    /// The newest version of every open document, sorted by URI.
    pub fn all(&self) -> Vec<Arc<Document>> {
        let mut all: Vec<_> = self.lock_open().values().cloned().collect();
        all.sort_by(|one, other| one.uri.cmp(&other.uri));
        all
    }

    /// Whether the document is open and has no newer version.
    pub fn is_current(&self, document: &Arc<Document>) -> bool {
        self.lock_open().get(&document.uri).is_some_and(|newest| Arc::ptr_eq(newest, document))
    }

    /// Opens a document.
    pub fn open(&self, uri: Url, version: i32, text: &str) -> Replaced {
        let environment = self.environment();
        let text = EncodedText { text: text.into(), encoding: environment.client.encoding };
        put(&mut self.lock_open(), Document::new(uri, Some(version), text, environment))
    }

    /// Applies changes one after the other. `None` if the document is not open.
    pub fn change(&self, uri: &Url, version: i32, changes: &[Change]) -> Option<Replaced> {
        let mut open = self.lock_open();
        let old = open.get(uri)?;
        let in_doubt = old.in_doubt && changes.iter().all(|change| change.range.is_some());
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.retain(SourceText::is_shared);
        let new = old.next(Some(version), old.text.changed(changes), Arc::clone(&old.environment));
        texts.push(new.text.text.clone());
        Some(put(&mut open, new.in_doubt(in_doubt)))
    }

    /// Records that a change of a document was lost: until its whole text arrives, the editor's text may differ. `None`
    /// if the document is not open.
    pub fn doubt(&self, uri: &Url) -> Option<Replaced> {
        let mut open = self.lock_open();
        let old = open.get(uri)?;
        let new = old.next(old.version, old.text.clone(), Arc::clone(&old.environment));
        Some(put(&mut open, new.in_doubt(true)))
    }

    /// Closes a document and returns its last version.
    pub fn close(&self, uri: &Url) -> Option<Arc<Document>> {
        let old = self.lock_open().remove(uri)?;
        old.supersede();
        Some(old)
    }

    /// Drops the facts about a document, except for its text, since its configuration or its tests' files may have
    /// changed. `None` if the document is not open.
    pub fn renew(&self, uri: &Url) -> Option<Replaced> {
        let environment = self.environment();
        let mut open = self.lock_open();
        let old = open.get(uri)?;
        let new = old.next(old.version, old.text.clone(), environment);
        Some(put(&mut open, new))
    }

    /// Records the `shutdown` request.
    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Release);
    }

    /// Whether the `shutdown` request was received.
    pub fn is_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::Acquire)
    }

    fn lock_environment(&self) -> MutexGuard<'_, Arc<Environment>> {
        self.environment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_open(&self) -> MutexGuard<'_, HashMap<Url, Arc<Document>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn put(open: &mut HashMap<Url, Arc<Document>>, document: Document) -> Replaced {
    let new = Arc::new(document);
    let old = open.insert(new.uri.clone(), Arc::clone(&new));
    if let Some(old) = &old {
        old.supersede();
    }
    Replaced { new, old }
}

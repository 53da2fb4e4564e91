//! What the client did not ask for: diagnostics, messages, and requests to ask again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tower_lsp::{Client, lsp_types as lsp};

use crate::server::{
    backend::blocking,
    diagnostics::diagnostics,
    documents::{Documents, Snapshot},
};

/// How long the client may take to answer a request that nothing waits for.
const CLIENT_PATIENCE: Duration = Duration::from_secs(5);
/// How long the text's own diagnostics wait for what the tests show, so that most are published once.
const TEST_PATIENCE: Duration = Duration::from_millis(50);

/// Sends what the client did not ask for.
#[derive(Clone)]
pub struct Publisher {
    client: Client,
    /// The open documents.
    pub documents: Arc<Documents>,
    /// The documents whose diagnostics are being computed, and whether they are to be computed once more.
    busy: Arc<Mutex<HashMap<lsp::Url, bool>>>,
    /// What was wrong with the configuration of a document, so that it is said once.
    misconfigured: Arc<Mutex<HashMap<lsp::Url, String>>>,
}

impl Publisher {
    /// For one client.
    pub fn new(client: Client, documents: Arc<Documents>) -> Self {
        Self { client, documents, busy: Arc::default(), misconfigured: Arc::default() }
    }

    /// Publishes a document's diagnostics soon; there is one task a document, which takes the newest version each time.
    pub fn publish(&self, uri: lsp::Url) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(again) = busy.get_mut(&uri) {
            *again = true;
            return;
        }
        busy.insert(uri.clone(), false);
        drop(busy);
        let publisher = self.clone();
        tokio::spawn(async move {
            publisher.publish_newest(&uri).await;
            while publisher.again(&uri) {
                publisher.publish_newest(&uri).await;
            }
        });
    }

    fn again(&self, uri: &lsp::Url) -> bool {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        match busy.get_mut(uri) {
            Some(again) if *again => {
                *again = false;
                true
            }
            _ => {
                busy.remove(uri);
                false
            }
        }
    }

    async fn publish_newest(&self, uri: &lsp::Url) {
        let Some(snapshot) = self.documents.get(uri) else {
            self.client.publish_diagnostics(uri.clone(), Vec::new(), None).await;
            return;
        };
        let testing = Arc::clone(&snapshot);
        let mut tests = tokio::task::spawn_blocking(move || testing.gather_evidence());
        if tokio::time::timeout(TEST_PATIENCE, &mut tests).await.is_err() {
            self.publish_version(Arc::clone(&snapshot)).await;
            // A newer version ends the tests of this one.
            tests.await.ok();
        }
        self.publish_version(snapshot).await;
    }

    async fn publish_version(&self, snapshot: Arc<Snapshot>) {
        let computing = Arc::clone(&snapshot);
        let found = blocking(move || {
            diagnostics(&computing).iter().map(|diagnostic| computing.diagnostic(diagnostic)).collect()
        });
        if let Ok(found) = found.await
            && self.documents.is_current(&snapshot)
        {
            self.client.publish_diagnostics(snapshot.uri.clone(), found, Some(snapshot.version)).await;
            self.complain(&snapshot);
        }
    }

    /// Says what is wrong with the configuration, unless that was said already.
    fn complain(&self, snapshot: &Snapshot) {
        let mut said = self.misconfigured.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = snapshot.configured().as_ref().err();
        if wrong == said.get(&snapshot.uri) {
            return;
        }
        said.remove(&snapshot.uri);
        if let Some(message) = wrong {
            said.insert(snapshot.uri.clone(), message.clone());
            let (client, message) = (self.client.clone(), message.clone());
            tokio::spawn(async move { client.show_message(lsp::MessageType::ERROR, message).await });
        }
    }

    /// Makes the client ask for lenses again.
    pub fn refresh_lenses(&self) {
        if self.documents.traits().lens_refresh {
            let client = self.client.clone();
            // The client answers or not: nothing depends on it.
            tokio::spawn(
                async move { tokio::time::timeout(CLIENT_PATIENCE, client.code_lens_refresh()).await.is_ok() },
            );
        }
    }

    /// Shows what a run gave.
    pub fn show(&self, message: String, good: bool) {
        if self.documents.traits().show_results {
            let client = self.client.clone();
            let kind = if good { lsp::MessageType::INFO } else { lsp::MessageType::WARNING };
            tokio::spawn(async move { client.show_message(kind, message).await });
        }
    }
}

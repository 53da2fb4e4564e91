//! Work that takes its time: how far it is, and its end when nobody wants it any more.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use lsp_types as lsp;
use psl_ide::Progress;
use tokio::sync::{Semaphore, oneshot};
use tower_lsp::{
    Client,
    jsonrpc::{Error, Result},
};

use super::patience::in_time;
use crate::to_proto;

/// How many pieces of work go on side by side; the others wait.
const SIDE_BY_SIDE: usize = 2;

/// How long work takes before it is worth showing.
const BRIEF: Duration = Duration::from_millis(400);
/// How often is shown how far it is.
const TICK: Duration = Duration::from_millis(200);

/// One piece of work.
#[derive(Default)]
struct Task {
    progress: Progress,
    ended: AtomicBool,
}

/// The work under way that a client can see.
#[derive(Clone)]
pub struct Tasks {
    client: Client,
    /// Whether the client shows work that it did not ask to see.
    shows: bool,
    permits: Arc<Semaphore>,
    tokens: Arc<Mutex<Tokens>>,
}

#[derive(Default)]
struct Tokens {
    made: usize,
    cancelled: HashMap<lsp::ProgressToken, Arc<AtomicBool>>,
}

impl Tasks {
    /// Of a client.
    pub fn new(client: Client) -> Self {
        Self { client, shows: false, permits: Arc::new(Semaphore::new(SIDE_BY_SIDE)), tokens: Arc::default() }
    }

    /// With work shown that the client did not ask to see.
    #[must_use]
    pub fn shown(self, shows: bool) -> Self {
        Self { shows, ..self }
    }

    /// Computes on a thread of its own. The client sees how far it is under its own token, or under one of ours when it takes
    /// long; it ends when the client cancels either that or its request, by which this future is dropped.
    pub async fn run<T: Send + 'static>(
        &self,
        title: &str,
        token: Option<lsp::ProgressToken>,
        compute: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> Result<T> {
        let task = Arc::new(Task::default());
        let guard = Ended(Arc::clone(&task));
        let computing = Arc::clone(&task);
        let computed = self.compute(move || compute(&computing.progress));
        let Some(token) = token else {
            if self.shows {
                tokio::spawn(self.clone().show(title.to_owned(), task));
            }
            let result = computed.await;
            guard.done();
            return result;
        };
        self.begin(&token, title, &task).await;
        tokio::pin!(computed);
        let result = loop {
            match tokio::time::timeout(TICK, &mut computed).await {
                Ok(result) => break result,
                Err(_) => self.report(&token, &task).await,
            }
        };
        self.end(token).await;
        guard.done();
        result
    }

    async fn compute<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Error::internal_error())?;
        let (done, computed) = oneshot::channel();
        thread::spawn(move || {
            // Nobody listens when the request was cancelled.
            done.send(compute()).ok();
            drop(permit);
        });
        computed.await.map_err(|_| Error::internal_error())
    }

    /// Cancels the work under a token.
    pub fn cancel(&self, token: &lsp::ProgressToken) {
        if let Some(cancelled) = self.lock().cancelled.get(token) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Shows work that takes long, under a token of ours.
    async fn show(self, title: String, task: Arc<Task>) {
        tokio::time::sleep(BRIEF).await;
        if task.ended.load(Ordering::Relaxed) {
            return;
        }
        let token = {
            let mut tokens = self.lock();
            tokens.made += 1;
            to_proto::progress_token(tokens.made)
        };
        let params = to_proto::progress_create(token.clone());
        let client = self.client.clone();
        let created = async move { client.send_request::<lsp::request::WorkDoneProgressCreate>(params).await };
        if !matches!(in_time(created).await, Some(Ok(()))) {
            return;
        }
        self.begin(&token, &title, &task).await;
        while !task.ended.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
            self.report(&token, &task).await;
        }
        self.end(token).await;
    }

    async fn begin(&self, token: &lsp::ProgressToken, title: &str, task: &Task) {
        self.lock().cancelled.insert(token.clone(), Arc::clone(&task.progress.cancelled));
        self.send(to_proto::progress_begin(token.clone(), title)).await;
    }

    async fn report(&self, token: &lsp::ProgressToken, task: &Task) {
        self.send(to_proto::progress_report(token.clone(), &task.progress)).await;
    }

    async fn end(&self, token: lsp::ProgressToken) {
        self.lock().cancelled.remove(&token);
        self.send(to_proto::progress_end(token)).await;
    }

    async fn send(&self, progress: lsp::ProgressParams) {
        self.client.send_notification::<lsp::notification::Progress>(progress).await;
    }

    fn lock(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends work when its future is dropped: the client has cancelled the request.
struct Ended(Arc<Task>);

impl Ended {
    fn done(self) {
        drop(self);
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::Relaxed);
        self.0.progress.cancelled.store(true, Ordering::Relaxed);
    }
}

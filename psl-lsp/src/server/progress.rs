//! Work that takes its time: how far it is, and its end when nobody wants it any more.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::sync::{Semaphore, oneshot};
use tower_lsp::{
    Client,
    jsonrpc::{Error, Result},
    lsp_types as lsp,
};

use crate::server::publisher::in_time;

/// How many pieces of work go on side by side; the others wait.
const SIDE_BY_SIDE: usize = 2;

/// How long work takes before it is worth showing.
const BRIEF: Duration = Duration::from_millis(400);
/// How often is shown how far it is.
const TICK: Duration = Duration::from_millis(200);

/// One piece of work.
#[derive(Default)]
pub struct Work {
    /// Set when nobody wants it any more.
    pub cancelled: Arc<AtomicBool>,
    done: AtomicUsize,
    /// How many steps there will be, and of what.
    expected: OnceLock<(usize, &'static str)>,
    ended: AtomicBool,
}

impl Work {
    /// Says how many steps there will be, and of what, as in `tests`; the first word on it counts.
    pub fn expect(&self, total: usize, unit: &'static str) {
        self.expected.get_or_init(|| (total, unit));
    }

    /// Says how many steps are done.
    pub fn reach(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
    }

    fn report(&self) -> lsp::WorkDoneProgressReport {
        let done = self.done.load(Ordering::Relaxed);
        let expected = self.expected.get();
        lsp::WorkDoneProgressReport {
            cancellable: Some(true),
            message: expected.map(|(total, unit)| format!("{done} of {total} {unit}")),
            percentage: expected.and_then(|(total, _)| Some((done * 100).checked_div(*total)?.min(100) as u32)),
        }
    }
}

/// The work under way that a client can see.
#[derive(Clone)]
pub struct Works {
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

impl Works {
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
        compute: impl FnOnce(&Work) -> T + Send + 'static,
    ) -> Result<T> {
        let work = Arc::new(Work::default());
        let guard = Ended(Arc::clone(&work));
        let computing = Arc::clone(&work);
        let computed = self.compute(move || compute(&computing));
        let Some(token) = token else {
            if self.shows {
                tokio::spawn(self.clone().show(title.to_owned(), work));
            }
            let result = computed.await;
            guard.done();
            return result;
        };
        self.begin(&token, title, &work).await;
        tokio::pin!(computed);
        let result = loop {
            match tokio::time::timeout(TICK, &mut computed).await {
                Ok(result) => break result,
                Err(_) => self.report(&token, &work).await,
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
    async fn show(self, title: String, work: Arc<Work>) {
        tokio::time::sleep(BRIEF).await;
        if work.ended.load(Ordering::Relaxed) {
            return;
        }
        let token = {
            let mut tokens = self.lock();
            tokens.made += 1;
            lsp::ProgressToken::String(format!("psl/{}", tokens.made))
        };
        let params = lsp::WorkDoneProgressCreateParams { token: token.clone() };
        let client = self.client.clone();
        let created = async move { client.send_request::<lsp::request::WorkDoneProgressCreate>(params).await };
        if !matches!(in_time(created).await, Some(Ok(()))) {
            return;
        }
        self.begin(&token, &title, &work).await;
        while !work.ended.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
            self.report(&token, &work).await;
        }
        self.end(token).await;
    }

    async fn begin(&self, token: &lsp::ProgressToken, title: &str, work: &Work) {
        self.lock().cancelled.insert(token.clone(), Arc::clone(&work.cancelled));
        let begin = lsp::WorkDoneProgressBegin {
            title: title.to_owned(),
            cancellable: Some(true),
            message: None,
            percentage: None,
        };
        self.send(token.clone(), lsp::WorkDoneProgress::Begin(begin)).await;
    }

    async fn report(&self, token: &lsp::ProgressToken, work: &Work) {
        self.send(token.clone(), lsp::WorkDoneProgress::Report(work.report())).await;
    }

    async fn end(&self, token: lsp::ProgressToken) {
        self.lock().cancelled.remove(&token);
        self.send(token, lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd { message: None })).await;
    }

    async fn send(&self, token: lsp::ProgressToken, value: lsp::WorkDoneProgress) {
        let value = lsp::ProgressParamsValue::WorkDone(value);
        self.client.send_notification::<lsp::notification::Progress>(lsp::ProgressParams { token, value }).await;
    }

    fn lock(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends work when its future is dropped: the client has cancelled the request.
struct Ended(Arc<Work>);

impl Ended {
    fn done(self) {
        drop(self);
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::Relaxed);
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

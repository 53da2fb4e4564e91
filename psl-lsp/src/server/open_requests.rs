//! The client's open requests, and their progress.
//!
//! Invariant: each request is answered once. If the client cancels it, or its document changes or is closed, it is
//! answered at that moment. Its computation is cancelled, and its result is dropped.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use gen_lsp_types::{self as lsp, ProgressNotification, ProgressToken};
use psl_program::Progress;
use tokio::sync::oneshot;

use super::{client_requests::ClientRequests, message, outbox::Outbox};
use crate::{refusal::Refusal, to_proto, uri::Url};

/// Work that takes less time is not shown.
const BRIEF: Duration = Duration::from_millis(400);

/// The requests without an answer.
pub struct OpenRequests {
    outbox: Outbox,
    made: usize,
    open: BTreeMap<usize, Open>,
}

struct Open {
    document: Option<Url>,
    progress: Arc<Progress>,
    work: Option<Work>,
    answer: oneshot::Sender<Result<String, Refusal>>,
}

/// The answer to a request, in JSON.
pub enum Reply {
    /// The answer.
    Now(String),
    /// The answer of another thread.
    Later(OpenRequest),
}

/// A request without an answer.
pub struct OpenRequest {
    /// Its number.
    pub number: usize,
    /// Its answer, in JSON.
    pub answer: oneshot::Receiver<Result<String, Refusal>>,
}

/// The progress display of a request.
struct Work {
    title: &'static str,
    since: Duration,
    shown: Shown,
}

enum Shown {
    /// Not yet, since the work may be short.
    NotYet,
    /// Never: the client does not show progress, or was asked for a display already.
    Never,
    /// Under this token, with this number of completed steps.
    Under(ProgressToken, usize),
}

impl OpenRequests {
    /// Creates an empty list of requests.
    pub fn new(outbox: Outbox) -> Self {
        Self { outbox, made: 0, open: BTreeMap::new() }
    }

    /// The number of open requests.
    #[cfg(feature = "native")]
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Adds a request under a new number. Returns it, and the progress that cancels its computation.
    pub fn open(&mut self, document: Option<Url>) -> (OpenRequest, Arc<Progress>) {
        self.made += 1;
        let progress = Arc::<Progress>::default();
        let (sender, answer) = oneshot::channel();
        let open = Open { document, progress: Arc::clone(&progress), work: None, answer: sender };
        self.open.insert(self.made, open);
        (OpenRequest { number: self.made, answer }, progress)
    }

    /// Shows the progress of a request: at once under the client's token, otherwise if it takes long. It starts `now`.
    pub fn show(&mut self, number: usize, title: &'static str, token: Option<ProgressToken>, now: Duration) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let mut work = Work { title, since: now, shown: Shown::NotYet };
        if let Some(token) = token {
            work.begin(token, &self.outbox);
        }
        open.work = Some(work);
    }

    /// Answers a request unless it is answered already.
    pub fn answer(&mut self, number: usize, result: Result<String, Refusal>) -> bool {
        let Some(open) = self.open.remove(&number) else { return false };
        open.answer(result, &self.outbox);
        true
    }

    /// Cancels the computation for a request whose answer nobody waits for, unless it is answered. Returns whether it
    /// was not.
    pub fn abandon(&mut self, number: usize) -> bool {
        let Some(open) = self.open.remove(&number) else { return false };
        open.refuse(Refusal::Cancelled, &self.outbox);
        true
    }

    /// Cancels the work under this token.
    pub fn cancel_work(&mut self, token: &ProgressToken) {
        let is_under = |open: &Open| {
            let shown = open.work.as_ref().map(|work| &work.shown);
            matches!(shown, Some(Shown::Under(under, _)) if under == token)
        };
        self.refuse(is_under, &Refusal::Cancelled);
    }

    /// Cancels the requests about a document that has changed or was closed. Returns whether there were any.
    pub fn modified(&mut self, document: &Url) -> bool {
        self.refuse(|open| open.document.as_ref() == Some(document), &Refusal::ContentModified)
    }

    fn refuse(&mut self, which: impl Fn(&Open) -> bool, why: &Refusal) -> bool {
        let before = self.open.len();
        for (_, open) in self.open.extract_if(.., |_, open| which(open)) {
            open.refuse(why.clone(), &self.outbox);
        }
        self.open.len() < before
    }

    /// Whether any of them shows progress or may come to show it.
    pub fn has_work(&self) -> bool {
        self.open.values().any(|open| open.work.is_some())
    }

    /// Reports progress. For work that has become long, asks the client for a display.
    pub fn tick(&mut self, client: &mut ClientRequests, now: Duration) {
        let reads = !self.outbox.has_unread();
        for (number, open) in &mut self.open {
            let Some(work) = &mut open.work else { continue };
            match &mut work.shown {
                Shown::NotYet if now.saturating_sub(work.since) >= BRIEF => {
                    work.shown = Shown::Never;
                    client.progress(*number);
                }
                Shown::Under(token, done) if reads && *done != open.progress.done() => {
                    *done = open.progress.done();
                    send(&to_proto::progress_report(token.clone(), &open.progress), &self.outbox);
                }
                _ => {}
            }
        }
    }

    /// Starts the display that the client has created.
    pub fn has_place(&mut self, number: usize) {
        if let Some(work) = self.open.get_mut(&number).and_then(|open| open.work.as_mut()) {
            work.begin(to_proto::progress_token(number), &self.outbox);
        }
    }
}

impl Open {
    fn refuse(self, why: Refusal, outbox: &Outbox) {
        self.progress.cancelled.store(true, Ordering::Relaxed);
        self.answer(Err(why), outbox);
    }

    fn answer(self, result: Result<String, Refusal>, outbox: &Outbox) {
        // Under a token of the client, no progress may follow the answer.
        if let Some(Work { shown: Shown::Under(token, _), .. }) = self.work {
            send(&to_proto::progress_end(token), outbox);
        }
        // The router has dropped the handler of a cancelled request.
        self.answer.send(result).ok();
    }
}

impl Work {
    fn begin(&mut self, token: ProgressToken, outbox: &Outbox) {
        send(&to_proto::progress_begin(token.clone(), self.title), outbox);
        self.shown = Shown::Under(token, 0);
    }
}

fn send(progress: &lsp::ProgressParams, outbox: &Outbox) {
    outbox.send(message::tell::<ProgressNotification>(progress));
}

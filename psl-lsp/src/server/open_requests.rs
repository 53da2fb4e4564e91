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
use serde_json::Value;
use tracing::{Span, info_span};

use super::{client_requests::ClientRequests, message, outbox::Outbox};
use crate::{refusal::Refusal, to_proto, uri::Url};

/// Work that takes less time is not shown.
const BRIEF: Duration = Duration::from_millis(400);

/// The requests without an answer.
pub struct OpenRequests {
    outbox: Outbox,
    /// The number of the last one.
    received: i64,
    open: BTreeMap<i64, Open>,
}

struct Open {
    /// The client's id.
    id: Value,
    method: String,
    document: Option<Url>,
    /// The progress of another thread that computes the answer.
    progress: Option<Arc<Progress>>,
    work: Option<Work>,
}

/// The answer to a request.
pub enum Reply {
    /// The answer, in JSON.
    Now(String),
    /// Another thread computes it.
    Later,
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
        Self { outbox, received: 0, open: BTreeMap::new() }
    }

    /// The number of open requests.
    #[cfg(feature = "native")]
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Adds a request under a new number: ids may repeat.
    pub fn receive(&mut self, id: Value, method: String) -> i64 {
        self.received += 1;
        self.open.insert(self.received, Open { id, method, document: None, progress: None, work: None });
        self.received
    }

    /// Lets another thread answer the request that was received last. Returns its number, and the progress that cancels
    /// the computation.
    pub fn compute(&mut self, document: Option<Url>) -> (i64, Arc<Progress>) {
        let progress = Arc::<Progress>::default();
        if let Some(open) = self.open.get_mut(&self.received) {
            (open.document, open.progress) = (document, Some(Arc::clone(&progress)));
        }
        (self.received, progress)
    }

    /// Answers the request that was received last, unless another thread does.
    pub fn reply(&mut self, reply: Result<Reply, Refusal>) {
        match reply {
            Ok(Reply::Now(json)) => self.answer(self.received, Ok(&json)),
            Ok(Reply::Later) => false,
            Err(refusal) => self.answer(self.received, Err(&refusal)),
        };
    }

    /// Whether a request has no answer and no thread computes one.
    pub fn is_unhandled(&self, number: i64) -> bool {
        self.open.get(&number).is_some_and(|open| open.progress.is_none())
    }

    /// The span of a request in the log.
    pub fn span(&self, number: i64) -> Span {
        let open = self.open.get(&number);
        open.map_or_else(Span::none, |open| info_span!("work", work = open.method, id = %open.id))
    }

    /// Refuses a message that is not a request.
    pub fn refuse_message(&self, id: &Value, why: &Refusal) {
        self.outbox.send(message::response(id, Err(why)));
    }

    /// Shows the progress of a request: at once under the client's token, otherwise if it takes long. It starts `now`.
    pub fn show(&mut self, number: i64, title: &'static str, token: Option<ProgressToken>, now: Duration) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let mut work = Work { title, since: now, shown: Shown::NotYet };
        if let Some(token) = token {
            work.begin(token, &self.outbox);
        }
        open.work = Some(work);
    }

    /// Answers a request unless it is answered already.
    pub fn answer(&mut self, number: i64, result: Result<&str, &Refusal>) -> bool {
        let Some(open) = self.open.remove(&number) else { return false };
        open.answer(result, &self.outbox);
        true
    }

    /// Cancels the requests with this id. Returns whether there were any.
    pub fn cancel(&mut self, id: &Value) -> bool {
        self.refuse(|open| open.id == *id, &Refusal::Cancelled)
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
            open.refuse(why, &self.outbox);
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
                Shown::Under(token, done) => {
                    if let Some(progress) = open.progress.as_ref().filter(|progress| reads && *done != progress.done())
                    {
                        *done = progress.done();
                        send(&to_proto::progress_report(token.clone(), progress), &self.outbox);
                    }
                }
                _ => {}
            }
        }
    }

    /// Starts the display that the client has created.
    pub fn has_place(&mut self, number: i64) {
        if let Some(work) = self.open.get_mut(&number).and_then(|open| open.work.as_mut()) {
            work.begin(to_proto::progress_token(number), &self.outbox);
        }
    }
}

impl Open {
    fn refuse(self, why: &Refusal, outbox: &Outbox) {
        if let Some(progress) = &self.progress {
            progress.cancelled.store(true, Ordering::Relaxed);
        }
        self.answer(Err(why), outbox);
    }

    fn answer(self, result: Result<&str, &Refusal>, outbox: &Outbox) {
        // Under a token of the client, no progress may follow the answer.
        if let Some(Work { shown: Shown::Under(token, _), .. }) = self.work {
            send(&to_proto::progress_end(token), outbox);
        }
        outbox.send(message::response(&self.id, result));
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

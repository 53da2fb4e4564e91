//! The client's requests that have no answer yet, and how far those that take long are.
//!
//! Invariant: each request is answered once. One that the client cancels, or whose document changes or is closed, is answered at
//! that moment; what is still computed of it is told to stop, and goes nowhere.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use lsp_types::{self as lsp, ProgressToken, Url, notification};
use psl_ide::Progress;
use serde_json::Value;

use super::{client_requests::ClientRequests, message, outbox::Outbox};
use crate::{refusal::Refusal, to_proto};

/// How long work takes before it is worth showing.
const BRIEF: Duration = Duration::from_millis(400);

/// The requests without an answer.
pub struct OpenRequests {
    outbox: Outbox,
    made: usize,
    open: BTreeMap<usize, Open>,
}

struct Open {
    id: Value,
    document: Option<Url>,
    progress: Arc<Progress>,
    work: Option<Work>,
}

/// Work that the client can see.
struct Work {
    title: &'static str,
    since: Instant,
    shown: Shown,
}

enum Shown {
    /// Not yet: it may be brief.
    NotYet,
    /// The client was asked for a place, or does not show work.
    Never,
    /// Under this token, with so many steps done.
    Under(ProgressToken, usize),
}

impl OpenRequests {
    /// Nothing is asked yet.
    pub fn new(outbox: Outbox) -> Self {
        Self { outbox, made: 0, open: BTreeMap::new() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Takes a request under a number of its own, for two may have one id; what it computes with stops when nobody wants it.
    pub fn open(&mut self, id: Value, document: Option<Url>) -> (usize, Arc<Progress>) {
        self.made += 1;
        let progress = Arc::<Progress>::default();
        self.open.insert(self.made, Open { id, document, progress: Arc::clone(&progress), work: None });
        (self.made, progress)
    }

    /// Shows how far a request is: at once under the client's token, else once it takes long.
    pub fn show(&mut self, number: usize, title: &'static str, token: Option<ProgressToken>) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let mut work = Work { title, since: Instant::now(), shown: Shown::NotYet };
        if let Some(token) = token {
            work.begin(token, &self.outbox);
        }
        open.work = Some(work);
    }

    /// Answers a request, unless that was done.
    pub fn answer(&mut self, number: usize, result: &Result<String, Refusal>) -> bool {
        let Some(open) = self.open.remove(&number) else { return false };
        open.answer(result, &self.outbox);
        true
    }

    /// The client no longer wants the requests with this id.
    pub fn cancel(&mut self, id: &Value) {
        self.refuse(|open| open.id == *id, &Refusal::Cancelled);
    }

    /// The client no longer wants the work under this token.
    pub fn cancel_work(&mut self, token: &ProgressToken) {
        let is_under = |open: &Open| {
            let shown = open.work.as_ref().map(|work| &work.shown);
            matches!(shown, Some(Shown::Under(under, _)) if under == token)
        };
        self.refuse(is_under, &Refusal::Cancelled);
    }

    /// A document has changed or was closed: what was asked of it is outdated. Says whether anything was.
    pub fn modified(&mut self, document: &Url) -> bool {
        self.refuse(|open| open.document.as_ref() == Some(document), &Refusal::ContentModified)
    }

    fn refuse(&mut self, which: impl Fn(&Open) -> bool, why: &Refusal) -> bool {
        let before = self.open.len();
        for (_, open) in self.open.extract_if(.., |_, open| which(open)) {
            open.progress.cancelled.store(true, Ordering::Relaxed);
            open.answer(&Err(why.clone()), &self.outbox);
        }
        self.open.len() < before
    }

    /// Whether some of them can be seen at work.
    pub fn has_work(&self) -> bool {
        self.open.values().any(|open| open.work.is_some())
    }

    /// Tells how far work is; the client is asked for a place for what has become long.
    pub fn tick(&mut self, client: &mut ClientRequests) {
        let reads = !self.outbox.is_behind();
        for (number, open) in &mut self.open {
            let Some(work) = &mut open.work else { continue };
            match &mut work.shown {
                Shown::NotYet if work.since.elapsed() >= BRIEF => {
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

    /// Shows work in the place that the client has made for it.
    pub fn has_place(&mut self, number: usize) {
        if let Some(work) = self.open.get_mut(&number).and_then(|open| open.work.as_mut()) {
            work.begin(to_proto::progress_token(number), &self.outbox);
        }
    }
}

impl Open {
    fn answer(self, result: &Result<String, Refusal>, outbox: &Outbox) {
        // Under a token of the client, nothing may come behind the answer.
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
    outbox.send(message::tell::<notification::Progress>(progress));
}

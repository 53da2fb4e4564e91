//! A piece of work.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tracing::{Span, info_span};

use crate::uri::Url;

/// A piece of work.
pub struct Job {
    /// The document that it is about. A lane runs one job per document at a time.
    pub document: Option<Url>,
    /// Set when the job is cancelled. It does not start then.
    pub cancelled: Arc<AtomicBool>,
    /// The job's name in the log.
    pub span: Span,
    /// The work.
    pub work: Box<dyn FnOnce() + Send>,
}

impl Job {
    /// Creates a job that is never cancelled and not logged.
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: None, cancelled: Arc::default(), span: Span::none(), work: Box::new(work) }
    }

    /// Creates a job about a document that is never cancelled.
    pub fn about(document: Url, name: &'static str, work: impl FnOnce() + Send + 'static) -> Self {
        let span = info_span!("work", work = name, document = document.as_str());
        Self { document: Some(document), span, ..Self::new(work) }
    }

    /// Does the work.
    pub fn run(self) {
        self.span.in_scope(self.work);
    }

    /// Whether the job is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

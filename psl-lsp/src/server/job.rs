//! A piece of work.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::uri::Url;

/// A piece of work.
pub struct Job {
    /// The document that it is about. A lane runs one job per document at a time.
    pub document: Option<Url>,
    /// Set when the job is cancelled. It does not start then.
    pub cancelled: Arc<AtomicBool>,
    /// The work.
    pub work: Box<dyn FnOnce() + Send>,
}

impl Job {
    /// Creates a job that is never cancelled.
    pub fn new(work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: None, cancelled: Arc::default(), work: Box::new(work) }
    }

    /// Creates a job about a document that is never cancelled.
    pub fn about(document: Url, work: impl FnOnce() + Send + 'static) -> Self {
        Self { document: Some(document), ..Self::new(work) }
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

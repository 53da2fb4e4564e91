//! What other threads tell the protocol's thread.

use std::{collections::BTreeSet, sync::Arc};

use lsp_types::Url;

use crate::{document::Document, refusal::Refusal};

/// What has happened on another thread.
pub enum Event {
    /// A request's answer is computed.
    Answered {
        /// The request.
        number: usize,
        /// The result in JSON, or why there is none.
        result: Result<String, Refusal>,
        /// What else the client is told.
        news: News,
    },
    /// A version's diagnostics are computed.
    Checked(Checked),
    /// What is known of an open document rests on files that have changed.
    Outdated(Url),
}

/// What a client is told besides an answer.
pub enum News {
    /// Nothing.
    None,
    /// A program or its tests have run.
    Ran {
        /// Words for people, with whether they are good news.
        words: Option<(String, bool)>,
        /// Whether it is open, so that lenses and hints show what it gave.
        open: bool,
    },
    /// The workspace was looked at.
    Workspace {
        /// Why some programs may be missing.
        problems: BTreeSet<String>,
        /// How many files the answer leaves out, in words.
        left_out: Option<String>,
        /// What tests gave, in words, with whether it is good news, where they have run for it.
        ran: Option<(String, bool)>,
    },
}

/// A version whose diagnostics are computed.
pub struct Checked {
    /// The version.
    pub document: Arc<Document>,
    /// The notification that publishes them.
    pub message: String,
    /// Where its tests have run for them: whether they showed more.
    pub tests: Option<bool>,
}

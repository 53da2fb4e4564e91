//! Events that other threads send to the protocol's thread.

use std::{collections::BTreeSet, sync::Arc};

use crate::{document::Document, notice::Notice, refusal::Refusal, uri::Url};

/// An event on another thread.
pub enum Event {
    /// A request is answered.
    Answered {
        /// The request.
        number: i64,
        /// The result in JSON, or the reason why there is none.
        result: Result<String, Refusal>,
        /// Further news for the client.
        news: News,
    },
    /// The client has been sent an answer with this news.
    News(News),
    /// A version's diagnostics are computed.
    Checked(Checked),
    /// A user has clicked on a line in the page of the explorer.
    #[cfg(feature = "native")]
    Clicked {
        /// The program.
        uri: Url,
        /// The 1-based line.
        line: usize,
    },
    /// The facts about an open document are outdated because files have changed.
    Outdated(Url),
}

/// News for the client besides an answer.
pub enum News {
    /// Nothing.
    None,
    /// A command about a program has ended.
    Ran {
        /// The message for users.
        notice: Option<Notice>,
        /// Whether lenses and hints show the result.
        open: bool,
    },
    /// The page of the explorer is served at this address.
    Served(String),
    /// The workspace was searched.
    Workspace {
        /// The reasons why some programs may be missing.
        problems: BTreeSet<String>,
        /// A message about files that the answer leaves out.
        left_out: Option<String>,
        /// The results of tests, if tests ran.
        ran: Option<Notice>,
    },
}

/// A version with its diagnostics.
pub struct Checked {
    /// The version.
    pub document: Arc<Document>,
    /// The notification that publishes them.
    pub message: String,
    /// If its tests ran, whether they changed the diagnostics.
    pub tests: Option<bool>,
}

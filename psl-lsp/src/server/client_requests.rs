//! Requests of the server to its client. The server never waits for their answers.
//!
//! Invariant: the number of open requests of each kind is bounded. A client that never answers is not asked again.

use std::{
    collections::{HashMap, HashSet},
    mem::discriminant,
};

use gen_lsp_types as lsp;

use super::{message, outbox::Outbox};
use crate::{
    capabilities::{registration_of, registrations, settings_registration, settings_request},
    client_capabilities::ClientCapabilities,
    from_proto::ActionEdits,
    to_proto,
    uri::Url,
};

/// Maximum number of file names to watch.
const WATCHED: usize = 1_000;

/// A kind of data that the client can request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refresh {
    /// Code lenses.
    Lenses,
    /// Diagnostics.
    Diagnostics,
    /// Inlay hints.
    Hints,
}

/// A kind of request to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A request for its settings.
    Settings,
    /// A refresh.
    Refresh(Refresh),
    /// A registration for changed files.
    Register,
    /// Progress under a token of ours with this number.
    Progress(i64),
    /// A request to open the page of the explorer at this address in a browser.
    Page(String),
    /// A refresh of a document of the server.
    VirtualDocument(Url),
    /// A request to show a document of the server.
    Show,
    /// A request to apply the edits of a code action.
    Apply,
    /// A request to show a line, and the one to show after the answer.
    #[cfg(feature = "native")]
    Line(Option<(Url, usize)>),
}

/// A request that the client has not answered.
struct Open {
    asked: Asked,
    /// Whether the same request follows its answer.
    again: bool,
}

/// The requests of the server to its client.
pub struct ClientRequests {
    outbox: Outbox,
    /// The capabilities of the client.
    client: ClientCapabilities,
    /// The number of requests so far.
    made: u64,
    open: HashMap<u64, Open>,
    /// The names of the registered files with tests' prompts, except `.json` files.
    watched: HashSet<String>,
}

impl ClientRequests {
    /// Creates an empty list of requests.
    pub fn new(outbox: Outbox) -> Self {
        Self { outbox, client: ClientCapabilities::default(), made: 0, open: HashMap::new(), watched: HashSet::new() }
    }

    /// Sets the client's capabilities.
    pub fn set_client(&mut self, client: ClientCapabilities) {
        self.client = client;
    }

    fn ask<R: lsp::Request>(&mut self, asked: Asked, params: &R::Params) {
        self.open.insert(self.made, Open { asked, again: false });
        self.outbox.send(message::ask::<R>(self.made, params));
        self.made += 1;
    }

    /// Asks unless a request of this kind is unanswered. Returns whether it has asked.
    fn ask_once<R: lsp::Request>(&mut self, asked: Asked, params: &R::Params) -> bool {
        let kind = discriminant(&asked);
        let is_free = self.open.values().all(|open| discriminant(&open.asked) != kind);
        if is_free {
            self.ask::<R>(asked, params);
        }
        is_free
    }

    /// Repeats an unanswered request after its answer. Returns whether there is one.
    fn repeat(&mut self, asked: &Asked) -> bool {
        let open = self.open.values_mut().find(|open| open.asked == *asked);
        open.map(|open| open.again = true).is_some()
    }

    /// Requests the section `psl` of the client's settings if the client supports it, and returns whether it does. A
    /// pending answer is discarded.
    pub fn settings(&mut self) -> bool {
        if !self.client.configuration {
            return false;
        }
        self.forget_settings();
        self.ask::<lsp::ConfigurationRequest>(Asked::Settings, &settings_request());
        true
    }

    /// Discards a pending answer with settings.
    pub fn forget_settings(&mut self) {
        self.open.retain(|_, open| open.asked != Asked::Settings);
    }

    /// Registers for changes of settings, of `psl.toml`, of programs and of their tests' prompts, if the client
    /// supports it.
    pub fn register(&mut self) {
        if self.client.watches_settings {
            self.ask::<lsp::RegistrationRequest>(Asked::Register, &settings_registration());
        }
        // If the client refuses, it reports no changes. Saving a program also checks its `psl.toml`.
        if self.client.watches_files {
            self.ask::<lsp::RegistrationRequest>(Asked::Register, &registrations());
        }
    }

    /// Registers for changes of files with this name, if the client supports it.
    pub fn watch(&mut self, name: &str) {
        if self.client.watches_files && self.watched.len() < WATCHED && self.watched.insert(name.to_owned()) {
            // If the client refuses, it reports no changes. Saving the program also reads the file again.
            self.ask::<lsp::RegistrationRequest>(Asked::Register, &registration_of(name));
        }
    }

    /// Asks the client to refresh, if it supports that. If the preceding refresh is unanswered, another one follows its
    /// answer.
    pub fn refresh(&mut self, what: Refresh) {
        let can = match what {
            Refresh::Lenses => self.client.lens_refresh,
            Refresh::Diagnostics => self.client.diagnostic_refresh,
            Refresh::Hints => self.client.hint_refresh,
        };
        if !can {
            return;
        }
        let asked = Asked::Refresh(what);
        if self.repeat(&asked) {
            return;
        }
        match what {
            Refresh::Lenses => self.ask::<lsp::CodeLensRefreshRequest>(asked, &()),
            Refresh::Diagnostics => self.ask::<lsp::DiagnosticRefreshRequest>(asked, &()),
            Refresh::Hints => self.ask::<lsp::InlayHintRefreshRequest>(asked, &()),
        }
    }

    /// Asks the client to fetch a document of the server again. If the preceding refresh of it is unanswered, another
    /// one follows its answer.
    pub fn refresh_content(&mut self, uri: Url) {
        let params = to_proto::refresh_content(uri.clone());
        let asked = Asked::VirtualDocument(uri);
        if !self.repeat(&asked) {
            self.ask::<lsp::TextDocumentContentRefreshRequest>(asked, &params);
        }
    }

    /// Whether the client shows documents of the server.
    pub fn can_show_content(&self) -> bool {
        self.client.show_documents && self.client.contents
    }

    /// Asks the client to show a document of the server, unless it has not answered an earlier request.
    pub fn show_content(&mut self, uri: Url) {
        self.ask_once::<lsp::ShowDocumentRequest>(Asked::Show, &to_proto::show_content(uri));
    }

    /// Asks the client to apply the edits of a code action. Returns whether it has answered the last such request.
    pub fn apply(&mut self, edits: ActionEdits) -> bool {
        self.ask_once::<lsp::ApplyWorkspaceEditRequest>(Asked::Apply, &to_proto::apply_edits(edits))
    }

    /// Requests a progress display under a token of ours with this number, if the client shows progress.
    pub fn progress(&mut self, number: i64) {
        if !self.client.progress {
            return;
        }
        let params = to_proto::progress_create(to_proto::progress_token(number));
        self.ask::<lsp::WorkDoneProgressCreateRequest>(Asked::Progress(number), &params);
    }

    /// Asks the client to open an address in a browser.
    ///
    /// # Errors
    ///
    /// Returns the address if the client does not support that, or has not answered an earlier request.
    pub fn open_page(&mut self, address: String) -> Result<(), String> {
        let can_open = self.client.show_documents;
        let Some(uri) = Url::parse(&address).ok().filter(|_| can_open) else { return Err(address) };
        let asked = Asked::Page(address.clone());
        let has_asked = self.ask_once::<lsp::ShowDocumentRequest>(asked, &to_proto::show_in_browser(uri));
        has_asked.then_some(()).ok_or(address)
    }

    /// Asks the client to show a 1-based line, if it supports that. While it has not answered, the last line waits.
    #[cfg(feature = "native")]
    pub fn show_line(&mut self, uri: Url, line: usize) {
        if !self.client.show_documents {
            return;
        }
        for open in self.open.values_mut() {
            if let Asked::Line(next) = &mut open.asked {
                *next = Some((uri, line));
                return;
            }
        }
        self.ask::<lsp::ShowDocumentRequest>(Asked::Line(None), &to_proto::show_line(uri, line));
    }

    /// Returns the request with this number, which the client has answered.
    pub fn answered(&mut self, number: u64) -> Option<Asked> {
        let Open { asked, again } = self.open.remove(&number)?;
        match &asked {
            Asked::Refresh(what) if again => self.refresh(*what),
            Asked::VirtualDocument(uri) if again => self.refresh_content(uri.clone()),
            #[cfg(feature = "native")]
            Asked::Line(Some((uri, line))) => self.show_line(uri.clone(), *line),
            _ => {}
        }
        Some(asked)
    }
}

//! Requests of the server to its client. The server never waits for their answers.
//!
//! Invariant: the number of open requests of each kind is bounded. A client that never answers is not asked again.

use std::{
    collections::{HashMap, HashSet},
    marker::PhantomData,
    task::{Context, Poll},
};

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use gen_lsp_types as lsp;
use serde_json::Value;
use tower_lsp_server::Client;

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

/// A request that the client has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A request for its settings.
    Settings,
    /// A refresh, and whether another one is needed after the answer.
    Refresh(Refresh, bool),
    /// A registration for changed files.
    Register,
    /// Progress under a token of ours with this number.
    Progress(usize),
    /// A request to open the page of the explorer at this address in a browser.
    Page(String),
    /// A refresh of a document of the server, and whether another one is needed after the answer.
    VirtualDocument(Url, bool),
    /// A request to show a document of the server.
    Show,
    /// A request to apply the edits of a code action.
    Apply,
    /// A request to show a line, and the one to show after the answer.
    #[cfg(feature = "native")]
    Line(Option<(Url, usize)>),
}

/// A request whose answer is not parsed, since clients answer in several forms.
struct AnyResult<R>(PhantomData<R>);

impl<R: lsp::Request> lsp::Request for AnyResult<R> {
    type Params = R::Params;
    type Result = Value;
    const METHOD: lsp::LspRequestMethod<'static> = R::METHOD;
    const MESSAGE_DIRECTION: lsp::MessageDirection = R::MESSAGE_DIRECTION;
}

/// The client's answer to the request with this number, or `None` if it refused.
type Answer = (u64, Option<Value>);

/// The requests of the server to its client.
pub struct ClientRequests {
    peer: Client,
    /// The capabilities of the client.
    client: ClientCapabilities,
    made: u64,
    open: HashMap<u64, Asked>,
    /// Their answers. A request is sent when its answer is first polled.
    answers: FuturesUnordered<BoxFuture<'static, Answer>>,
    /// The names of the registered files with tests' prompts, except `.json` files.
    watched: HashSet<String>,
}

impl ClientRequests {
    /// Creates an empty list of requests.
    pub fn new(peer: Client) -> Self {
        Self {
            peer,
            client: ClientCapabilities::default(),
            made: 0,
            open: HashMap::new(),
            answers: FuturesUnordered::new(),
            watched: HashSet::new(),
        }
    }

    /// Sets the client's capabilities.
    pub fn set_client(&mut self, client: ClientCapabilities) {
        self.client = client;
    }

    fn ask<R: lsp::Request + 'static>(&mut self, asked: Asked, params: R::Params) {
        let number = self.made;
        self.made += 1;
        self.open.insert(number, asked);
        let peer = self.peer.clone();
        let answer = async move { (number, peer.send_request::<AnyResult<R>>(params).await.ok()) };
        self.answers.push(Box::pin(answer));
    }

    /// Sends the requests that are not sent yet, and polls for an answer. Ready with `None` if there are no requests.
    pub fn poll_answer(&mut self, context: &mut Context<'_>) -> Poll<Option<Answer>> {
        self.answers.poll_next_unpin(context)
    }

    /// Requests the section `psl` of the client's settings if the client supports it, and returns whether it does. A
    /// pending answer is discarded.
    pub fn settings(&mut self) -> bool {
        if !self.client.configuration {
            return false;
        }
        self.forget_settings();
        self.ask::<lsp::ConfigurationRequest>(Asked::Settings, settings_request());
        true
    }

    /// Discards a pending answer with settings.
    pub fn forget_settings(&mut self) {
        self.open.retain(|_, asked| *asked != Asked::Settings);
    }

    /// Registers for changes of settings, of `psl.toml`, of programs and of their tests' prompts, if the client
    /// supports it.
    pub fn register(&mut self) {
        if self.client.watches_settings {
            self.ask::<lsp::RegistrationRequest>(Asked::Register, settings_registration());
        }
        // If the client refuses, it reports no changes. Saving a program also checks its `psl.toml`.
        if self.client.watches_files {
            self.ask::<lsp::RegistrationRequest>(Asked::Register, registrations());
        }
    }

    /// Registers for changes of files with this name, if the client supports it.
    pub fn watch(&mut self, name: &str) {
        if self.client.watches_files && self.watched.len() < WATCHED && self.watched.insert(name.to_owned()) {
            // If the client refuses, it reports no changes. Saving the program also reads the file again.
            self.ask::<lsp::RegistrationRequest>(Asked::Register, registration_of(name));
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
        let open = self.open.values_mut().find(|asked| matches!(asked, Asked::Refresh(of, _) if *of == what));
        if let Some(open) = open {
            *open = Asked::Refresh(what, true);
            return;
        }
        let asked = Asked::Refresh(what, false);
        match what {
            Refresh::Lenses => self.ask::<lsp::CodeLensRefreshRequest>(asked, ()),
            Refresh::Diagnostics => self.ask::<lsp::DiagnosticRefreshRequest>(asked, ()),
            Refresh::Hints => self.ask::<lsp::InlayHintRefreshRequest>(asked, ()),
        }
    }

    /// Asks the client to fetch a document of the server again. If the preceding refresh of it is unanswered, another
    /// one follows its answer.
    pub fn refresh_content(&mut self, uri: Url) {
        let is_of = |asked: &&mut Asked| matches!(asked, Asked::VirtualDocument(of, _) if *of == uri);
        if let Some(open) = self.open.values_mut().find(is_of) {
            *open = Asked::VirtualDocument(uri, true);
            return;
        }
        let params = to_proto::refresh_content(uri.clone());
        self.ask::<lsp::TextDocumentContentRefreshRequest>(Asked::VirtualDocument(uri, false), params);
    }

    /// Whether the client shows documents of the server.
    pub fn can_show_content(&self) -> bool {
        self.client.show_documents && self.client.contents
    }

    /// Asks the client to show a document of the server, unless it has not answered an earlier request.
    pub fn show_content(&mut self, uri: Url) {
        if !self.open.values().any(|asked| *asked == Asked::Show) {
            self.ask::<lsp::ShowDocumentRequest>(Asked::Show, to_proto::show_content(uri));
        }
    }

    /// Asks the client to apply the edits of a code action. Returns whether it has answered the last such request.
    pub fn apply(&mut self, edits: ActionEdits) -> bool {
        let is_free = !self.open.values().any(|asked| *asked == Asked::Apply);
        if is_free {
            self.ask::<lsp::ApplyWorkspaceEditRequest>(Asked::Apply, to_proto::apply_edits(edits));
        }
        is_free
    }

    /// Requests a progress display under a token of ours with this number, if the client shows progress.
    pub fn progress(&mut self, number: usize) {
        if !self.client.progress {
            return;
        }
        let params = to_proto::progress_create(to_proto::progress_token(number));
        self.ask::<lsp::WorkDoneProgressCreateRequest>(Asked::Progress(number), params);
    }

    /// Asks the client to open an address in a browser.
    ///
    /// # Errors
    ///
    /// Returns the address if the client does not support that, or has not answered an earlier request.
    pub fn open_page(&mut self, address: String) -> Result<(), String> {
        let waits = self.open.values().any(|asked| matches!(asked, Asked::Page(_)));
        if !self.client.show_documents || waits {
            return Err(address);
        }
        let Ok(uri) = Url::parse(&address) else { return Err(address) };
        self.ask::<lsp::ShowDocumentRequest>(Asked::Page(address), to_proto::show_in_browser(uri));
        Ok(())
    }

    /// Asks the client to show a 1-based line, if it supports that. While it has not answered, the last line waits.
    #[cfg(feature = "native")]
    pub fn show_line(&mut self, uri: Url, line: usize) {
        if !self.client.show_documents {
            return;
        }
        if let Some(Asked::Line(next)) = self.open.values_mut().find(|asked| matches!(asked, Asked::Line(_))) {
            *next = Some((uri, line));
            return;
        }
        self.ask::<lsp::ShowDocumentRequest>(Asked::Line(None), to_proto::show_line(uri, line));
    }

    /// Returns the request with this number, which the client has answered.
    pub fn answered(&mut self, number: u64) -> Option<Asked> {
        let asked = self.open.remove(&number)?;
        match &asked {
            Asked::Refresh(what, true) => self.refresh(*what),
            Asked::VirtualDocument(uri, true) => self.refresh_content(uri.clone()),
            #[cfg(feature = "native")]
            Asked::Line(Some((uri, line))) => self.show_line(uri.clone(), *line),
            _ => {}
        }
        Some(asked)
    }
}

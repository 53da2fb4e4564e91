//! Requests of the server to its client. The server never waits for their answers.
//!
//! Invariant: the number of open requests of each kind is bounded. A client that never answers is not asked again.

use std::collections::{HashMap, HashSet};

use lsp_types::request as requests;
use serde_json::Value;

use super::{message, outbox::Outbox};
use crate::{
    capabilities::{registration_of, registrations, settings_registration, settings_request},
    client_capabilities::ClientCapabilities,
    to_proto,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A request for its settings.
    Settings,
    /// A refresh, and whether another one is needed after the answer.
    Refresh(Refresh, bool),
    /// A registration for changed files.
    Register,
    /// Progress under a token of ours with this number.
    Progress(usize),
}

/// The requests of the server to its client.
pub struct ClientRequests {
    outbox: Outbox,
    /// The capabilities of the client.
    client: ClientCapabilities,
    made: u64,
    open: HashMap<u64, Asked>,
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

    fn ask<R: requests::Request>(&mut self, asked: Asked, params: &R::Params) {
        self.open.insert(self.made, asked);
        self.outbox.send(message::ask::<R>(self.made, params));
        self.made += 1;
    }

    /// Requests the section `psl` of the client's settings if the client supports it, and returns whether it does. A
    /// pending answer is discarded.
    pub fn settings(&mut self) -> bool {
        if !self.client.configuration {
            return false;
        }
        self.forget_settings();
        self.ask::<requests::WorkspaceConfiguration>(Asked::Settings, &settings_request());
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
            self.ask::<requests::RegisterCapability>(Asked::Register, &settings_registration());
        }
        // If the client refuses, it reports no changes. Saving a program also checks its `psl.toml`.
        if self.client.watches_files {
            self.ask::<requests::RegisterCapability>(Asked::Register, &registrations());
        }
    }

    /// Registers for changes of files with this name, if the client supports it.
    pub fn watch(&mut self, name: &str) {
        if self.client.watches_files && self.watched.len() < WATCHED && self.watched.insert(name.to_owned()) {
            // If the client refuses, it reports no changes. Saving the program also reads the file again.
            self.ask::<requests::RegisterCapability>(Asked::Register, &registration_of(name));
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
            Refresh::Lenses => self.ask::<requests::CodeLensRefresh>(asked, &()),
            Refresh::Diagnostics => self.ask::<requests::WorkspaceDiagnosticRefresh>(asked, &()),
            Refresh::Hints => self.ask::<requests::InlayHintRefreshRequest>(asked, &()),
        }
    }

    /// Requests a progress display under a token of ours with this number, if the client shows progress.
    pub fn progress(&mut self, number: usize) {
        if !self.client.progress {
            return;
        }
        let params = to_proto::progress_create(to_proto::progress_token(number));
        self.ask::<requests::WorkDoneProgressCreate>(Asked::Progress(number), &params);
    }

    /// Returns the request that an answer belongs to, or `None` if there is none.
    pub fn answered(&mut self, id: &Value) -> Option<Asked> {
        let asked = self.open.remove(&id.as_u64()?)?;
        if let Asked::Refresh(what, true) = asked {
            self.refresh(what);
        }
        Some(asked)
    }
}

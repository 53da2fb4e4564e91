//! Requests of the server to its client, none of which anything waits for.
//!
//! Invariant: of each kind, at most so many are open as there is something to say; a client that never answers is not asked again.

use std::collections::{HashMap, HashSet};

use lsp_types::request as requests;
use serde_json::Value;

use super::{message, outbox::Outbox};
use crate::{
    capabilities::{registration_of, registrations, settings_registration, settings_request},
    client_capabilities::ClientCapabilities,
    to_proto,
};

/// For so many names of files the client is asked to watch them.
const WATCHED: usize = 1_000;

/// What the client can be told to ask for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refresh {
    /// Code lenses.
    Lenses,
    /// Diagnostics.
    Diagnostics,
    /// Inlay hints.
    Hints,
}

/// A request that the client has not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Its settings.
    Settings,
    /// To ask for something again; whether it has to be told once more since.
    Refresh(Refresh, bool),
    /// To tell of changed files.
    Register,
    /// To show work under a token of ours with this number.
    Progress(usize),
}

/// The requests of the server to its client.
pub struct ClientRequests {
    outbox: Outbox,
    /// What the client can be asked.
    client: ClientCapabilities,
    made: u64,
    open: HashMap<u64, Asked>,
    /// The files with prompts of tests that the client was asked to watch, by name, besides those in `.json`.
    watched: HashSet<String>,
}

impl ClientRequests {
    /// Of a client that nothing was asked of.
    pub fn new(outbox: Outbox) -> Self {
        Self { outbox, client: ClientCapabilities::default(), made: 0, open: HashMap::new(), watched: HashSet::new() }
    }

    /// Takes what the client says of itself.
    pub fn set_client(&mut self, client: ClientCapabilities) {
        self.client = client;
    }

    fn ask<R: requests::Request>(&mut self, asked: Asked, params: &R::Params) {
        self.open.insert(self.made, asked);
        self.outbox.send(message::ask::<R>(self.made, params));
        self.made += 1;
    }

    /// Asks for the section `psl` of the client's settings, where it can tell them; says whether it can. An answer that is still to come is not waited for any more.
    pub fn settings(&mut self) -> bool {
        if !self.client.configuration {
            return false;
        }
        self.forget_settings();
        self.ask::<requests::WorkspaceConfiguration>(Asked::Settings, &settings_request());
        true
    }

    /// An answer with settings that is still to come is outdated.
    pub fn forget_settings(&mut self) {
        self.open.retain(|_, asked| *asked != Asked::Settings);
    }

    /// Makes the client tell of changes of its settings, of `psl.toml`, of programs and of their tests' prompts, where it can.
    pub fn register(&mut self) {
        if self.client.watches_settings {
            self.ask::<requests::RegisterCapability>(Asked::Register, &settings_registration());
        }
        // A client that refuses does not tell of changes; saving a program looks at its `psl.toml` again too.
        if self.client.watches_files {
            self.ask::<requests::RegisterCapability>(Asked::Register, &registrations());
        }
    }

    /// Makes the client tell of changes of files of this name too, where it can.
    pub fn watch(&mut self, name: &str) {
        if self.client.watches_files && self.watched.len() < WATCHED && self.watched.insert(name.to_owned()) {
            // A client that refuses does not tell; saving the program reads the file again too.
            self.ask::<requests::RegisterCapability>(Asked::Register, &registration_of(name));
        }
    }

    /// Makes the client ask for something again, where it can; while it has not answered, once more behind its answer.
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

    /// Asks for a place where the client shows work, under a token of ours with this number, where it shows work.
    pub fn progress(&mut self, number: usize) {
        if !self.client.progress {
            return;
        }
        let params = to_proto::progress_create(to_proto::progress_token(number));
        self.ask::<requests::WorkDoneProgressCreate>(Asked::Progress(number), &params);
    }

    /// What an answer belongs to; nothing where nobody waits for it.
    pub fn answered(&mut self, id: &Value) -> Option<Asked> {
        let asked = self.open.remove(&id.as_u64()?)?;
        if let Asked::Refresh(what, true) = asked {
            self.refresh(what);
        }
        Some(asked)
    }
}

//! Notifications from the client.

use gen_lsp_types::{self as lsp, MessageType};
use serde_json::Value;

use super::{
    client_requests::{Asked, Refresh},
    message::{self, LostChange},
    service::Service,
};
use crate::{
    config_problem::is_config,
    from_proto,
    settings::Settings,
    to_proto,
    uri::{Url, file_path},
};

impl Service {
    /// `initialized`
    pub fn initialized(&mut self) {
        self.client.settings();
        self.client.register();
    }

    /// `textDocument/didOpen`
    pub fn did_open(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.modified(&document.uri);
        self.publisher.opened(&document.uri, document.version);
        self.publisher.replaced(self.session.open(document.uri, document.version, &document.text));
    }

    /// `textDocument/didChange`
    pub fn did_change(&mut self, params: from_proto::DidChange) {
        let document = params.text_document;
        let changes: Vec<_> = params.content_changes.into_iter().map(from_proto::change).collect();
        self.modified(&document.uri);
        match self.session.change(&document.uri, document.version, &changes) {
            Some(replaced) => {
                let before = replaced.old.as_ref().and_then(|old| old.version);
                if let Some(before) = before.filter(|before| document.version < *before) {
                    let (uri, version) = (&document.uri, document.version);
                    self.publisher
                        .log(format!("{uri}: applied a change with version {version} after version {before}"));
                }
                self.publisher.replaced(replaced);
            }
            None => self.missing(&document.uri),
        }
    }

    /// `textDocument/didSave`
    pub fn did_save(&mut self, lsp::DidSaveTextDocumentParams { text_document, .. }: lsp::DidSaveTextDocumentParams) {
        self.publisher.reset_reported();
        if is_config(&text_document.uri) {
            self.check_all();
        } else {
            self.publisher.check_again(&text_document.uri);
        }
    }

    /// `textDocument/didClose`
    pub fn did_close(&mut self, params: lsp::DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.modified(&uri);
        let closed = self.session.close(&uri);
        self.workspace.closed(&uri);
        self.explorer.changed(&uri);
        self.contents.changed(&uri, self.session.now());
        self.publisher.closed(uri, closed);
    }

    /// Cancels requests about a document that was opened, changed or closed.
    fn modified(&mut self, document: &Url) {
        if self.open.modified(document) {
            self.lanes.sweep();
        }
    }

    /// Records the loss of a message that changes a text: of this document, or of an unknown one if it is not a URI.
    pub fn lose(&mut self, lost: Option<LostChange>) {
        let Some(LostChange { document, may_open }) = lost.filter(|_| self.greeted) else { return };
        match serde_json::from_value::<Url>(document) {
            Ok(document) if may_open || self.session.get(&document).is_some() => self.doubt(&document),
            Ok(document) => self.missing(&document),
            Err(_) => {
                self.may_lack_documents |= may_open;
                self.session.all().iter().for_each(|document| self.doubt(&document.uri));
            }
        }
    }

    /// Handles a change of a document that is not open. Editors send some after they have closed it.
    fn missing(&mut self, uri: &Url) {
        if self.may_lack_documents {
            self.doubt(uri);
        } else {
            self.publisher.log(format!("{uri}: ignored a change, since the document is not open"));
        }
    }

    /// Records and reports that the editor's text of a document may differ from the server's.
    fn doubt(&mut self, uri: &Url) {
        self.modified(uri);
        if let Some(replaced) = self.session.doubt(uri) {
            self.publisher.replaced(replaced);
        } else {
            // The message that opened it was lost.
            let params = to_proto::publication(uri.clone(), None, vec![to_proto::in_doubt()]);
            self.outbox.publish(uri.clone(), message::tell::<lsp::PublishDiagnosticsNotification>(&params));
        }
        self.publisher.report_once(MessageType::Error, to_proto::IN_DOUBT);
    }

    /// `window/workDoneProgress/cancel`
    pub fn cancel_work(&mut self, lsp::WorkDoneProgressCancelParams { token }: lsp::WorkDoneProgressCancelParams) {
        self.open.cancel_work(&token);
        self.lanes.sweep();
    }

    /// `workspace/didChangeConfiguration`
    pub fn did_change_configuration(
        &mut self,
        lsp::DidChangeConfigurationParams { settings }: lsp::DidChangeConfigurationParams,
    ) {
        match settings.get("psl") {
            Some(settings) => self.set_settings(settings),
            None if self.client.settings() => {}
            None => self.set_settings(&Value::Null),
        }
    }

    /// Sets the settings, and checks all documents again if they have changed.
    fn set_settings(&mut self, settings: &Value) {
        self.client.forget_settings();
        if self.take_settings(settings) {
            self.check_all();
        }
    }

    /// Sets the settings, reports their errors, and returns whether they have changed.
    pub fn take_settings(&mut self, settings: &Value) -> bool {
        let (settings, wrong) = Settings::read(settings, self.session.client());
        for message in wrong {
            self.publisher.report_once(MessageType::Warning, &message);
        }
        self.session.set_settings(settings)
    }

    fn check_all(&mut self) {
        self.workspace.forget();
        self.publisher.check_all(&mut self.client);
    }

    /// `workspace/didChangeWatchedFiles`
    pub fn did_change_watched_files(
        &mut self,
        lsp::DidChangeWatchedFilesParams { changes }: lsp::DidChangeWatchedFilesParams,
    ) {
        for change in &changes {
            self.contents.changed(&change.uri, self.session.now());
        }
        if changes.iter().any(|change| is_config(&change.uri)) {
            self.publisher.reset_reported();
            self.check_all();
        } else {
            let changed: Vec<_> = changes.iter().filter_map(|change| file_path(&change.uri)).collect();
            self.publisher.check_tests_of(&changed);
            self.client.refresh(Refresh::Diagnostics);
        }
    }

    /// `workspace/didChangeWorkspaceFolders`
    pub fn did_change_workspace_folders(&mut self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let uris = |folders: Vec<lsp::WorkspaceFolder>| folders.into_iter().map(|folder| folder.uri);
        self.workspace.change(uris(params.event.added), uris(params.event.removed));
        self.client.refresh(Refresh::Diagnostics);
    }

    /// Handles the answer to a request of the server.
    pub fn replied(&mut self, number: u64, result: Option<&Value>) {
        match (self.client.answered(number), result) {
            (Some(Asked::Settings), Some(settings)) => {
                self.set_settings(settings.get(0).unwrap_or(&Value::Null));
            }
            (Some(Asked::Progress(number)), Some(_)) => self.open.has_place(number),
            (Some(Asked::Apply), result) => {
                if let Some(reason) = refused_edits(result) {
                    self.publisher.show(MessageType::Warning, reason);
                }
            }
            (Some(Asked::Page(address)), result) if !was_shown(result) => self.show_address(&address),
            _ => {}
        }
    }
}

/// The message if a client has not applied edits, by its answer to the request.
fn refused_edits(answer: Option<&Value>) -> Option<String> {
    let is_applied = answer.and_then(|answer| answer.get("applied")?.as_bool()).unwrap_or(false);
    let reason = answer.and_then(|answer| answer.get("failureReason")?.as_str());
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    (!is_applied).then(|| format!("the editor did not apply the edits{reason}"))
}

/// Whether a client has shown a document, by its answer to the request.
fn was_shown(answer: Option<&Value>) -> bool {
    answer.and_then(|answer| answer.get("success")?.as_bool()).unwrap_or(false)
}

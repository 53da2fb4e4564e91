//! The adapter to tower-lsp: each request with its handler and its latency class, [`Backend::interactive`] for what a person
//! waits for, [`Backend::background`] for the rest. The rules that keep it right:
//!
//! 1. `didOpen`, `didChange` and `didClose` change the state before their first `.await`; [`super::transport`] handles each
//!    message up to there before it looks at the next.
//! 2. A request takes its version of the document before its first `.await`, computes on a blocking thread, and holds no lock across one.
//! 3. No handler awaits a request to the client: it is spawned, with a time limit.
//! 4. Diagnostics are published with the version that they were computed for, and only while that version is current.
//! 5. A newer edit ends the tests that run on an older one, and its check ends unseen; a cancelled request cancels its run.
//! 6. `exit` and a closed input end the process (see [`super::transport`]).

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use lsp_types as lsp;
use psl_ide::Progress;
use serde_json::{Value, json};
use tower_lsp::{
    Client, LanguageServer,
    jsonrpc::{Error, ErrorCode, Result},
};

use super::{
    blocking::blocking,
    client_process,
    patience::in_time,
    publisher::{Publisher, Refresh},
    tasks::Tasks,
    workspace::Workspace,
};
use crate::{
    capabilities::{greeting, registrations, settings_item},
    commands,
    document::Document,
    from_proto::{self, Command},
    refusal::Refusal,
    requests,
    session::Session,
    settings::Settings,
    to_proto,
};

/// The server as tower-lsp sees it.
#[derive(Clone)]
pub struct Backend {
    publisher: Publisher,
    tasks: Tasks,
    workspace: Arc<Workspace>,
    /// How often settings were sent or asked for: an answer is outdated where that happened again.
    settings_version: Arc<AtomicUsize>,
}

impl Backend {
    /// A server for one client.
    pub fn new(client: Client, session: Arc<Session>) -> Self {
        let tasks = Tasks::new(client.clone());
        Self {
            publisher: Publisher::new(client, session),
            tasks,
            workspace: Arc::default(),
            settings_version: Arc::default(),
        }
    }

    /// `window/workDoneProgress/cancel`.
    #[allow(clippy::unused_async, reason = "the library takes only async methods")]
    pub async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        self.tasks.cancel(&params.token);
    }

    /// Does work that takes long, on a thread of its own; the client may see how far it is, under its token or one of ours, and
    /// cancel it.
    async fn background<T: Send + 'static>(
        &self,
        title: &str,
        token: Option<lsp::ProgressToken>,
        compute: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> Result<T> {
        let tasks = self.tasks.clone().shown(self.session().client().progress);
        tasks.run(title, token, compute).await
    }

    /// Takes the settings, says what is wrong with them, and checks everything anew where they have changed.
    fn set_settings(&self, settings: &Value) {
        self.settings_version.fetch_add(1, Ordering::AcqRel);
        let (settings, wrong) = Settings::read(settings);
        for message in wrong {
            self.publisher.report_once(lsp::MessageType::WARNING, &message);
        }
        if self.session().set_settings(settings) {
            self.recheck();
        }
    }

    /// Checks everything anew.
    fn recheck(&self) {
        self.workspace.forget();
        self.publisher.check_all();
    }

    /// Asks the client for its settings.
    fn request_settings(&self) {
        let backend = self.clone();
        let version = self.settings_version.fetch_add(1, Ordering::AcqRel) + 1;
        tokio::spawn(async move {
            let client = backend.publisher.client.clone();
            if let Some(Ok(settings)) = in_time(async move { client.configuration(vec![settings_item()]).await }).await
                && backend.settings_version.load(Ordering::Acquire) == version
            {
                backend.set_settings(settings.first().unwrap_or(&Value::Null));
            }
        });
    }

    /// `psl/text`: a document's version and text as the server has them, for tests; nothing where it is not open.
    #[allow(clippy::unused_async, reason = "the library takes only async methods")]
    pub async fn text(&self, document: lsp::TextDocumentIdentifier) -> Result<Option<Value>> {
        let open = self.session().get(&document.uri);
        Ok(open.map(|document| json!({"version": document.version, "text": document.text.to_string()})))
    }

    fn session(&self) -> &Arc<Session> {
        &self.publisher.session
    }

    /// Answers a request that a person waits for, from a document's newest version; nothing where it is not open.
    async fn interactive<P: Send + 'static, T: Send + 'static>(
        &self,
        uri: lsp::Url,
        params: P,
        request: fn(&Document, &P) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(document) = self.session().get(&uri) else { return Ok(None) };
        blocking(move || request(&document, &params)).await
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        if let Some(process) = params.process_id {
            client_process::watch(process);
        }
        let client = from_proto::client_capabilities(&params);
        self.session().set_client(client);
        #[allow(deprecated, reason = "older clients name their one folder so")]
        let root = params.root_uri;
        let folders = params.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
        let folders: Vec<_> = folders.collect();
        let root = root.filter(|_| folders.is_empty());
        self.workspace.change(folders.into_iter().chain(root), []);
        self.set_settings(&params.initialization_options.unwrap_or_default());
        Ok(greeting(client.encoding))
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        let client = self.session().client();
        if client.configuration {
            self.request_settings();
        }
        if client.watches_files {
            let client = self.publisher.client.clone();
            // A client that refuses does not tell of changes; saving a program looks at its `psl.toml` again too.
            tokio::spawn(async move { client.register_capability(registrations()).await });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.session().shut_down();
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.publisher.replaced(self.session().open(document.uri, document.version, &document.text));
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let document = params.text_document;
        let changes = params.content_changes.into_iter().map(from_proto::change).collect();
        if let Some(replaced) = self.session().change(&document.uri, document.version, changes) {
            self.publisher.replaced(replaced);
        }
    }

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        if let Some(replaced) = self.session().renew(&params.text_document.uri) {
            self.publisher.reset_reported();
            self.publisher.replaced(replaced);
        }
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.session().close(&uri);
        self.publisher.forget(uri);
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        match params.settings.get("psl") {
            Some(settings) => self.set_settings(settings),
            None if self.session().client().configuration => self.request_settings(),
            None => self.set_settings(&Value::Null),
        }
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        if params.changes.iter().any(|change| change.uri.path().ends_with("/psl.toml")) {
            self.publisher.reset_reported();
            self.recheck();
        } else {
            let changed: Vec<_> = params.changes.iter().filter_map(|change| change.uri.to_file_path().ok()).collect();
            self.publisher.check_tests_of(&changed);
            self.publisher.request_refresh(Refresh::Diagnostics);
        }
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let uris = |folders: Vec<lsp::WorkspaceFolder>| folders.into_iter().map(|folder| folder.uri);
        self.workspace.change(uris(params.event.added), uris(params.event.removed));
        self.publisher.request_refresh(Refresh::Diagnostics);
    }

    async fn diagnostic(&self, params: lsp::DocumentDiagnosticParams) -> Result<lsp::DocumentDiagnosticReportResult> {
        self.publisher.client_pulls();
        let uri = params.text_document.uri.clone();
        let report = self.interactive(uri, params, requests::diagnostic).await?;
        Ok(report.unwrap_or_else(to_proto::no_diagnostics))
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        self.publisher.client_pulls();
        let (session, workspace) = (Arc::clone(self.session()), Arc::clone(&self.workspace));
        let previous: HashMap<_, _> = params.previous_result_ids.into_iter().map(|id| (id.uri, id.value)).collect();
        let token = params.work_done_progress_params.work_done_token;
        let checked = self.background("Checking PSL programs", token, move |progress| {
            let (programs, problems) = workspace.programs(&session);
            progress.expect(programs.len(), "programs");
            let mut items = Vec::new();
            for document in programs {
                progress.reach(items.len());
                if progress.is_cancelled() {
                    break;
                }
                let previous = previous.get(&document.uri).map(String::as_str);
                items.push(requests::workspace_diagnostic(&document, previous));
            }
            (items, problems)
        });
        let (items, problems) = checked.await?;
        for problem in &problems {
            self.publisher.report_once(lsp::MessageType::ERROR, problem);
        }
        Ok(to_proto::workspace_diagnostics(items))
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::hover).await
    }

    async fn goto_definition(&self, params: lsp::GotoDefinitionParams) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::definition).await
    }

    async fn goto_declaration(
        &self,
        params: lsp::request::GotoDeclarationParams,
    ) -> Result<Option<lsp::request::GotoDeclarationResponse>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::declaration).await
    }

    async fn goto_implementation(
        &self,
        params: lsp::request::GotoImplementationParams,
    ) -> Result<Option<lsp::request::GotoImplementationResponse>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::implementations).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: lsp::CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyItem>>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::prepare_call_hierarchy).await
    }

    async fn incoming_calls(
        &self,
        params: lsp::CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
        let uri = params.item.uri.clone();
        self.interactive(uri, params, requests::incoming_calls).await
    }

    async fn outgoing_calls(
        &self,
        params: lsp::CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
        let uri = params.item.uri.clone();
        self.interactive(uri, params, requests::outgoing_calls).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.interactive(uri, params, requests::references).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::document_highlights).await
    }

    async fn document_symbol(&self, params: lsp::DocumentSymbolParams) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::document_symbols).await
    }

    async fn folding_range(&self, params: lsp::FoldingRangeParams) -> Result<Option<Vec<lsp::FoldingRange>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::folding_ranges).await
    }

    async fn selection_range(&self, params: lsp::SelectionRangeParams) -> Result<Option<Vec<lsp::SelectionRange>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::selection_ranges).await
    }

    async fn signature_help(&self, params: lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::signature_help).await
    }

    async fn document_link(&self, params: lsp::DocumentLinkParams) -> Result<Option<Vec<lsp::DocumentLink>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::document_links).await
    }

    async fn completion(&self, params: lsp::CompletionParams) -> Result<Option<lsp::CompletionResponse>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.interactive(uri, params, requests::completion).await
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::semantic_tokens).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::semantic_tokens_delta).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::semantic_tokens_range).await
    }

    async fn inlay_hint(&self, params: lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::inlay_hints).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::code_lenses).await
    }

    async fn code_action(&self, params: lsp::CodeActionParams) -> Result<Option<lsp::CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::code_actions).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::prepare_rename).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let Some(document) = self.session().get(&params.text_document_position.text_document.uri) else {
            return Ok(None);
        };
        blocking(move || requests::rename(&document, &params)).await?.map_err(refused)
    }

    async fn linked_editing_range(
        &self,
        params: lsp::LinkedEditingRangeParams,
    ) -> Result<Option<lsp::LinkedEditingRanges>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.interactive(uri, params, requests::linked_editing_ranges).await
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.interactive(uri, params, requests::on_type_formatting).await
    }

    async fn formatting(&self, params: lsp::DocumentFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::formatting).await
    }

    async fn range_formatting(&self, params: lsp::DocumentRangeFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let uri = params.text_document.uri.clone();
        self.interactive(uri, params, requests::range_formatting).await
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        Ok(requests::resolve_completion(item))
    }

    async fn symbol(&self, params: lsp::WorkspaceSymbolParams) -> Result<Option<Vec<lsp::SymbolInformation>>> {
        let open = self.session().all();
        let (session, workspace) = (Arc::clone(self.session()), Arc::clone(&self.workspace));
        let found = blocking(move || {
            // A `psl.toml` that cannot be used is a diagnostic; the open documents are there all the same.
            let (mut programs, _) = workspace.programs(&session);
            let known: HashSet<lsp::Url> = programs.iter().map(|program| program.uri.clone()).collect();
            programs.extend(open.into_iter().filter(|document| !known.contains(&document.uri)));
            programs.iter().flat_map(|document| requests::matching_symbols(document, &params.query)).collect()
        });
        found.await.map(Some)
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let token = params.work_done_progress_params.work_done_token.clone();
        let (uri, command) = match from_proto::command(params).map_err(refused)? {
            Command::Explain(code) => return Ok(Some(Value::from(code.entry().markdown()))),
            Command::OfDocument(uri, command) => (uri, command),
        };
        let document = self.session().get(&uri);
        let document = document.ok_or_else(|| Error::invalid_params(format!("{uri} is not open in the editor")))?;
        let runs = command.runs();
        let execute = move |progress: &Progress| commands::execute(&document, &command, progress);
        let answer = self.background("Running", token, execute).await?;
        if runs {
            self.publisher.request_refresh(Refresh::Lenses);
            self.publisher.request_refresh(Refresh::Hints);
        }
        let answer = answer.map_err(refused)?;
        if let Some((message, good)) = answer.message {
            self.publisher.show(message, good);
        }
        Ok(Some(answer.value))
    }
}

fn refused(refusal: Refusal) -> Error {
    const REQUEST_FAILED: i64 = -32803;
    match refusal {
        Refusal::Parameters(message) => Error::invalid_params(message),
        Refusal::Failed(message) => {
            Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: message.into(), data: None }
        }
    }
}

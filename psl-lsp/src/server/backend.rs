//! The adapter to tower-lsp. The rules that keep it right:
//!
//! 1. `didOpen`, `didChange` and `didClose` change the state before their first `.await`; [`super::transport`] handles each
//!    message up to there before it looks at the next.
//! 2. A request takes its snapshot before its first `.await`, computes on a blocking thread, and holds no lock across one.
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

use psl_syntax::{Span, renamable, rename};
use serde_json::{Value, json};
use tower_lsp::{
    Client, LanguageServer,
    jsonrpc::{Error, ErrorCode, Result},
    lsp_types as lsp,
};

use crate::server::{
    actions,
    capabilities::{capabilities, client_traits, registrations},
    commands::{self, Argument, Refusal},
    completion,
    convert::{completion_list, look::signature_help},
    documents::{Documents, Snapshot},
    folding, formatting, hints, hover, lens, linked, links, navigation, on_type, outline, parent,
    progress::{Work, Works},
    publisher::{Publisher, Refresh, in_time},
    pull, selection,
    settings::Settings,
    signature,
    workspace::Workspace,
};

/// The server as tower-lsp sees it.
#[derive(Clone)]
pub struct Backend {
    publisher: Publisher,
    works: Works,
    workspace: Arc<Workspace>,
    /// Counts what was said of settings: an answer that another word has overtaken is outdated.
    words_on_settings: Arc<AtomicUsize>,
}

impl Backend {
    /// A server for one client.
    pub fn new(client: Client, documents: Arc<Documents>) -> Self {
        let works = Works::new(client.clone());
        Self {
            publisher: Publisher::new(client, documents),
            works,
            workspace: Arc::default(),
            words_on_settings: Arc::default(),
        }
    }

    /// `window/workDoneProgress/cancel`.
    #[allow(clippy::unused_async, reason = "the library takes only async methods")]
    pub async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        self.works.cancel(&params.token);
    }

    /// Work that the client may see and cancel.
    fn works(&self) -> Works {
        self.works.clone().shown(self.documents().traits().progress)
    }

    /// Takes the settings, says what is wrong with them, and checks everything anew where they have changed.
    fn set(&self, settings: &Value) {
        self.words_on_settings.fetch_add(1, Ordering::AcqRel);
        let (settings, wrong) = Settings::read(settings);
        for message in wrong {
            self.publisher.complain(lsp::MessageType::WARNING, &message);
        }
        if *self.documents().settings() != settings {
            self.documents().set(settings);
            self.reread();
        }
    }

    /// Checks everything anew.
    fn reread(&self) {
        self.workspace.forget();
        self.publisher.check_all();
    }

    /// Asks the client for its settings.
    fn ask_settings(&self) {
        let backend = self.clone();
        let word = self.words_on_settings.fetch_add(1, Ordering::AcqRel) + 1;
        tokio::spawn(async move {
            let item = lsp::ConfigurationItem { scope_uri: None, section: Some("psl".to_owned()) };
            let client = backend.publisher.client.clone();
            if let Some(Ok(settings)) = in_time(async move { client.configuration(vec![item]).await }).await
                && backend.words_on_settings.load(Ordering::Acquire) == word
            {
                backend.set(settings.first().unwrap_or(&Value::Null));
            }
        });
    }

    /// `psl/text`: a document's version and text as the server has them, for tests; nothing where it is not open.
    #[allow(clippy::unused_async, reason = "the library takes only async methods")]
    pub async fn text(&self, document: lsp::TextDocumentIdentifier) -> Result<Option<Value>> {
        let snapshot = self.documents().get(&document.uri);
        Ok(snapshot.map(|snapshot| json!({"version": snapshot.version, "text": snapshot.text.to_string()})))
    }

    fn documents(&self) -> &Documents {
        &self.publisher.documents
    }

    /// Computes an answer from a document's newest snapshot; nothing where it is not open.
    async fn answer<T: Send + 'static>(
        &self,
        uri: &lsp::Url,
        compute: impl FnOnce(&Snapshot) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.documents().get(uri) else { return Ok(None) };
        blocking(move || compute(&snapshot)).await.map(Some)
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        if let Some(process) = params.process_id {
            parent::watch(process);
        }
        let traits = self.documents().client.get_or_init(|| client_traits(&params));
        #[allow(deprecated, reason = "older clients name their one folder so")]
        let root = params.root_uri;
        let folders = params.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
        let folders: Vec<_> = folders.collect();
        let root = root.filter(|_| folders.is_empty());
        self.workspace.change(folders.into_iter().chain(root), []);
        self.set(&params.initialization_options.unwrap_or_default());
        Ok(lsp::InitializeResult {
            capabilities: capabilities(traits.encoding),
            server_info: Some(lsp::ServerInfo {
                name: "psl".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        let traits = self.documents().traits();
        if traits.configuration {
            self.ask_settings();
        }
        if traits.watches_files {
            let client = self.publisher.client.clone();
            // A client that refuses does not tell of changes; saving a program looks at its `psl.toml` again too.
            tokio::spawn(async move { client.register_capability(registrations()).await });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.documents().shut_down();
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.publisher.check(self.documents().open(document.uri, document.version, &document.text));
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let document = params.text_document;
        if let Some(snapshot) = self.documents().change(&document.uri, document.version, params.content_changes) {
            self.publisher.check(snapshot);
        }
    }

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        if let Some(snapshot) = self.documents().renew(&params.text_document.uri) {
            self.publisher.listen_anew();
            self.publisher.check(snapshot);
        }
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.documents().close(&uri);
        self.publisher.forget(uri);
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        match params.settings.get("psl") {
            Some(settings) => self.set(settings),
            None if self.documents().traits().configuration => self.ask_settings(),
            None => self.set(&Value::Null),
        }
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        if params.changes.iter().any(|change| change.uri.path().ends_with("/psl.toml")) {
            self.publisher.listen_anew();
            self.reread();
        } else {
            let changed: Vec<_> = params.changes.iter().filter_map(|change| change.uri.to_file_path().ok()).collect();
            self.publisher.check_tests_of(&changed);
            self.publisher.ask_again(Refresh::Diagnostics);
        }
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let uris = |folders: Vec<lsp::WorkspaceFolder>| folders.into_iter().map(|folder| folder.uri);
        self.workspace.change(uris(params.event.added), uris(params.event.removed));
        self.publisher.ask_again(Refresh::Diagnostics);
    }

    async fn diagnostic(&self, params: lsp::DocumentDiagnosticParams) -> Result<lsp::DocumentDiagnosticReportResult> {
        self.publisher.client_pulls();
        // A client that can not be told to ask again gets what the tests show at once.
        let with_tests = !self.documents().traits().diagnostic_refresh;
        let previous = params.previous_result_id;
        let report = self.answer(&params.text_document.uri, move |snapshot| {
            if with_tests {
                snapshot.gather_evidence();
            }
            pull::of_document(snapshot, previous.as_deref())
        });
        Ok(report.await?.unwrap_or_else(|| lsp::RelatedFullDocumentDiagnosticReport::default().into()).into())
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        self.publisher.client_pulls();
        let (documents, workspace) = (Arc::clone(&self.publisher.documents), Arc::clone(&self.workspace));
        let previous: HashMap<_, _> = params.previous_result_ids.into_iter().map(|id| (id.uri, id.value)).collect();
        let token = params.work_done_progress_params.work_done_token;
        let works = self.works();
        let checked = works.run("Checking PSL programs", token, move |work| {
            let (programs, problems) = workspace.programs(&documents);
            work.expect(programs.len(), "programs");
            let mut items = Vec::new();
            for snapshot in programs {
                work.reach(items.len());
                if work.cancelled.load(Ordering::Relaxed) {
                    break;
                }
                snapshot.gather_evidence();
                items.push(pull::of_file(&snapshot, previous.get(&snapshot.uri).map(String::as_str)));
            }
            (lsp::WorkspaceDiagnosticReport { items }, problems)
        });
        let (report, problems) = checked.await?;
        for problem in &problems {
            self.publisher.complain(lsp::MessageType::ERROR, problem);
        }
        Ok(report.into())
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let hover = self.answer(&text_document.uri, move |snapshot| {
            let (value, span) = hover::hover(snapshot, snapshot.offset(position))?;
            let contents = lsp::HoverContents::Markup(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value });
            Some(lsp::Hover { contents, range: Some(snapshot.range(span)) })
        });
        Ok(hover.await?.flatten())
    }

    async fn goto_definition(&self, params: lsp::GotoDefinitionParams) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let found = self.answer(&text_document.uri, move |snapshot| {
            let span = navigation::definition(snapshot.checked(), snapshot.offset(position))?;
            Some(lsp::GotoDefinitionResponse::Scalar(snapshot.location(span)))
        });
        Ok(found.await?.flatten())
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let declaration = params.context.include_declaration;
        self.answer(&text_document.uri, move |snapshot| {
            let found = navigation::references(snapshot.checked(), snapshot.offset(position), declaration);
            found.into_iter().map(|span| snapshot.location(span)).collect()
        })
        .await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.answer(&text_document.uri, move |snapshot| {
            let found = navigation::highlights(snapshot.checked(), snapshot.offset(position));
            found.into_iter().map(|highlight| snapshot.highlight(highlight)).collect()
        })
        .await
    }

    async fn document_symbol(&self, params: lsp::DocumentSymbolParams) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let nested = self.documents().traits().nested_symbols;
        self.answer(&params.text_document.uri, move |snapshot| {
            snapshot.document_symbols(&outline::outline(snapshot.checked()), nested)
        })
        .await
    }

    async fn symbol(&self, params: lsp::WorkspaceSymbolParams) -> Result<Option<Vec<lsp::SymbolInformation>>> {
        let open = self.documents().all();
        let (documents, workspace) = (Arc::clone(&self.publisher.documents), Arc::clone(&self.workspace));
        let found = blocking(move || {
            // A `psl.toml` that can not be used is a diagnostic; the open documents are there all the same.
            let (mut programs, _) = workspace.programs(&documents);
            let known: HashSet<lsp::Url> = programs.iter().map(|program| program.uri.clone()).collect();
            programs.extend(open.into_iter().filter(|snapshot| !known.contains(&snapshot.uri)));
            let of = |snapshot: &Arc<Snapshot>| {
                let items = outline::outline(snapshot.checked());
                let found = outline::search(&items, &params.query).into_iter();
                found.map(|(item, parent)| snapshot.symbol_information(item, parent)).collect::<Vec<_>>()
            };
            programs.iter().flat_map(of).collect()
        });
        found.await.map(Some)
    }

    async fn folding_range(&self, params: lsp::FoldingRangeParams) -> Result<Option<Vec<lsp::FoldingRange>>> {
        let lines_only = self.documents().traits().folds_lines;
        self.answer(&params.text_document.uri, move |snapshot| {
            let folds = folding::folds(&snapshot.checked().tree).into_iter();
            folds.filter_map(|fold| snapshot.folding_range(fold, lines_only)).collect()
        })
        .await
    }

    async fn selection_range(&self, params: lsp::SelectionRangeParams) -> Result<Option<Vec<lsp::SelectionRange>>> {
        self.answer(&params.text_document.uri, move |snapshot| {
            let tree = &snapshot.checked().tree;
            let grow = |position| snapshot.selection_range(&selection::selections(tree, snapshot.offset(position)));
            params.positions.into_iter().map(grow).collect()
        })
        .await
    }

    async fn signature_help(&self, params: lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let help = self.answer(&text_document.uri, move |snapshot| {
            signature::help(&snapshot.checked().tree, snapshot.offset(position)).map(signature_help)
        });
        Ok(help.await?.flatten())
    }

    async fn document_link(&self, params: lsp::DocumentLinkParams) -> Result<Option<Vec<lsp::DocumentLink>>> {
        self.answer(&params.text_document.uri, |snapshot| {
            let links = links::links(&snapshot.checked().tree, snapshot.folder().as_deref()).into_iter();
            links.filter_map(|link| snapshot.document_link(link)).collect()
        })
        .await
    }

    async fn completion(&self, params: lsp::CompletionParams) -> Result<Option<lsp::CompletionResponse>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let snippets = self.documents().traits().snippets;
        let list = self.answer(&text_document.uri, move |snapshot| {
            let (items, replaced) = completion::complete(snapshot, snapshot.offset(position));
            completion_list(snapshot, items, replaced, snippets)
        });
        Ok(list.await?.map(lsp::CompletionResponse::List))
    }

    async fn completion_resolve(&self, mut item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        if let Some(value) = item.data.as_ref().and_then(completion::about::documentation) {
            let documentation = lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value };
            item.documentation = Some(lsp::Documentation::MarkupContent(documentation));
        }
        Ok(item)
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        let shown = self.documents().traits().tokens;
        self.answer(&params.text_document.uri, move |snapshot| snapshot.all_tokens(shown).into()).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: lsp::SemanticTokensDeltaParams,
    ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
        let shown = self.documents().traits().tokens;
        let since = params.previous_result_id;
        self.answer(&params.text_document.uri, move |snapshot| snapshot.changed_tokens(&since, shown)).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        let (shown, range) = (self.documents().traits().tokens, params.range);
        self.answer(&params.text_document.uri, move |snapshot| {
            let span = Span::new(snapshot.offset(range.start), snapshot.offset(range.end));
            lsp::SemanticTokens { result_id: None, data: snapshot.tokens(span, shown) }.into()
        })
        .await
    }

    async fn inlay_hint(&self, params: lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>> {
        let range = params.range;
        self.answer(&params.text_document.uri, move |snapshot| {
            let span = Span::new(snapshot.offset(range.start), snapshot.offset(range.end));
            snapshot.hints(hints::hints(snapshot, span, snapshot.settings.hints))
        })
        .await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        self.answer(&params.text_document.uri, |snapshot| {
            let lenses = lens::lenses(snapshot).into_iter();
            lenses
                .map(|lens| lsp::CodeLens {
                    range: snapshot.range(lens.span),
                    command: Some(lsp::Command {
                        title: lens.title,
                        command: lens.command.to_owned(),
                        arguments: Some(vec![lens.argument]),
                    }),
                    data: None,
                })
                .collect()
        })
        .await
    }

    async fn code_action(&self, params: lsp::CodeActionParams) -> Result<Option<lsp::CodeActionResponse>> {
        let (range, context) = (params.range, params.context);
        self.answer(&params.text_document.uri, move |snapshot| {
            let span = Span::new(snapshot.offset(range.start), snapshot.offset(range.end));
            let found = actions::actions(snapshot, span, &(&context).into()).into_iter();
            found.map(|action| snapshot.action(action)).collect()
        })
        .await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        let found = self.answer(&params.text_document.uri, move |snapshot| {
            let it = renamable(snapshot.checked(), snapshot.offset(params.position))?;
            let range = snapshot.range(it.span);
            Some(lsp::PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: it.name })
        });
        Ok(found.await?.flatten())
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let edits = self.answer(&text_document.uri, move |snapshot| {
            let checked = snapshot.checked();
            let it = renamable(checked, snapshot.offset(position))?;
            Some(rename(checked, &it, &params.new_name).map(|edits| snapshot.workspace_edit(&edits)))
        });
        edits.await?.flatten().transpose().map_err(|reason| refused(Refusal::Failed(reason)))
    }

    async fn linked_editing_range(
        &self,
        params: lsp::LinkedEditingRangeParams,
    ) -> Result<Option<lsp::LinkedEditingRanges>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let ranges = self.answer(&text_document.uri, move |snapshot| {
            let spans = linked::linked(snapshot, snapshot.offset(position))?;
            let ranges = spans.into_iter().map(|span| snapshot.range(span)).collect();
            Some(lsp::LinkedEditingRanges { ranges, word_pattern: Some(linked::NAME.to_owned()) })
        });
        Ok(ranges.await?.flatten())
    }

    async fn on_type_formatting(
        &self,
        params: lsp::DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.answer(&text_document.uri, move |snapshot| {
            let tree = &snapshot.checked().tree;
            let edits = on_type::edits(&tree.text, &tree.tokens, snapshot.offset(position), &params.ch);
            edits.iter().map(|edit| snapshot.edit(edit)).collect()
        })
        .await
    }

    async fn formatting(&self, params: lsp::DocumentFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let edits = self.answer(&params.text_document.uri, |snapshot| {
            let edits = formatting::edits(snapshot)?;
            Some(edits.iter().map(|edit| snapshot.edit(edit)).collect())
        });
        Ok(edits.await?.flatten())
    }

    async fn range_formatting(&self, params: lsp::DocumentRangeFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        let range = params.range;
        let edits = self.answer(&params.text_document.uri, move |snapshot| {
            let span = Span::new(snapshot.offset(range.start), snapshot.offset(range.end));
            let edits = formatting::edits_of_lines(snapshot, span)?;
            Some(edits.iter().map(|edit| snapshot.edit(edit)).collect())
        });
        Ok(edits.await?.flatten())
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let argument = commands::argument(&params.command, params.arguments).map_err(refused)?;
        let compute: fn(&Snapshot, &Argument, &Work) -> _ = match params.command.as_str() {
            commands::RUN => commands::run,
            commands::TRACE => commands::trace,
            commands::TESTS => |snapshot, _, work| commands::tests(snapshot, work),
            commands::COMPILE => |snapshot, argument, _| commands::compile(snapshot, argument),
            commands::EXPLAIN => return commands::explain(&argument).map(|answer| Some(answer.value)).map_err(refused),
            _ => return Ok(None),
        };
        let Some(uri) = argument.uri.clone() else { return Ok(None) };
        let snapshot = self
            .documents()
            .get(&uri)
            .ok_or_else(|| Error::invalid_params(format!("{uri} is not open in the editor")))?;
        let runs = matches!(params.command.as_str(), commands::RUN | commands::TESTS);
        let token = params.work_done_progress_params.work_done_token;
        let answer = self.works().run("Running", token, move |work| compute(&snapshot, &argument, work)).await?;
        if runs {
            self.publisher.ask_again(Refresh::Lenses);
            self.publisher.ask_again(Refresh::Hints);
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
        Refusal::Argument(message) => Error::invalid_params(message),
        Refusal::Failed(message) => {
            Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: message.into(), data: None }
        }
    }
}

/// Computes on a thread that may block.
pub async fn blocking<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(compute).await.map_err(|_| Error::internal_error())
}

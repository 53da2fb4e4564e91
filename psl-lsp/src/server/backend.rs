//! The adapter to tower-lsp, which runs up to four handlers side by side. The rules that keep it right:
//!
//! 1. `didOpen`, `didChange` and `didClose` change the state before their first `.await`.
//! 2. A request takes its snapshot before its first `.await`, computes on a blocking thread, and holds no lock across one.
//! 3. No handler awaits a request to the client: it is spawned, with a time limit.
//! 4. Diagnostics are published with the version that they were computed for, and only while that version is current.
//! 5. A newer edit ends the tests that run on an older one, and its check ends unseen; a cancelled request cancels its run.
//! 6. `exit` and a closed input end the process at once (see [`super`]).

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use psl_syntax::Span;
use serde_json::Value;
use tower_lsp::{
    Client, LanguageServer,
    jsonrpc::{Error, ErrorCode, Result},
    lsp_types as lsp,
};

use crate::{
    server::{
        actions,
        commands::{self, Answer, Argument},
        completion::{self, ItemKind},
        diagnostics::diagnostics,
        documents::{ClientTraits, Documents, Snapshot},
        formatting, hover, lens,
    },
    text::Encoding,
};

/// How long the client may take to answer a request that nothing waits for.
const CLIENT_PATIENCE: Duration = Duration::from_secs(5);
/// How long the text's own diagnostics wait for what the tests show, so that most are published once.
const TEST_PATIENCE: Duration = Duration::from_millis(50);

/// The server as tower-lsp sees it.
pub struct Backend {
    publisher: Publisher,
}

impl Backend {
    /// A server for one client.
    pub fn new(client: Client, documents: Arc<Documents>) -> Self {
        Self { publisher: Publisher { client, documents, busy: Arc::default(), misconfigured: Arc::default() } }
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
        let traits = self.documents().client.get_or_init(|| client_traits(&params));
        Ok(lsp::InitializeResult {
            capabilities: capabilities(traits.encoding),
            server_info: Some(lsp::ServerInfo {
                name: "psl".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn shutdown(&self) -> Result<()> {
        self.documents().shut_down();
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.documents().open(document.uri.clone(), document.version, &document.text);
        self.publisher.publish(document.uri);
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        let document = params.text_document;
        self.documents().change(&document.uri, document.version, params.content_changes);
        self.publisher.publish(document.uri);
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.documents().close(&uri);
        self.publisher.publish(uri);
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

    async fn completion(&self, params: lsp::CompletionParams) -> Result<Option<lsp::CompletionResponse>> {
        let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let snippets = self.documents().traits().snippets;
        let items = self.answer(&text_document.uri, move |snapshot| {
            let items = completion::complete(snapshot, snapshot.offset(position));
            items.into_iter().map(|item| completion_item(item, snippets)).collect()
        });
        Ok(items.await?.map(lsp::CompletionResponse::Array))
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
        let range = params.range;
        self.answer(&params.text_document.uri, move |snapshot| {
            let span = Span::new(snapshot.offset(range.start), snapshot.offset(range.end));
            let fixes = actions::fixes(snapshot, span).into_iter();
            fixes
                .map(|(diagnostic, fix)| {
                    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
                        kind: Some(lsp::CodeActionKind::QUICKFIX),
                        diagnostics: Some(vec![snapshot.diagnostic(&diagnostic)]),
                        edit: Some(snapshot.edits(&fix)),
                        is_preferred: Some(diagnostic.fixes.len() == 1),
                        title: fix.title,
                        ..lsp::CodeAction::default()
                    })
                })
                .collect()
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
        let argument: Argument = match params.arguments.into_iter().next() {
            Some(argument) => {
                serde_json::from_value(argument).map_err(|error| Error::invalid_params(error.to_string()))?
            }
            None => Argument::default(),
        };
        let compute: fn(&Snapshot, &Argument, &Arc<AtomicBool>) -> _ = match params.command.as_str() {
            commands::RUN => commands::run,
            commands::TRACE => commands::trace,
            commands::TESTS => |snapshot, _, cancelled| commands::tests(snapshot, cancelled),
            commands::COMPILE => |snapshot, argument, _| commands::compile(snapshot, argument),
            commands::EXPLAIN => return answer_value(commands::explain(&argument)).map(|answer| Some(answer.value)),
            other => return Err(Error::invalid_params(format!("there is no command {other}"))),
        };
        let uri = argument.uri.clone().ok_or_else(|| Error::invalid_params("the argument needs a field `uri`"))?;
        let snapshot = self
            .documents()
            .get(&uri)
            .ok_or_else(|| Error::invalid_params(format!("{uri} is not open in the editor")))?;
        // Set when the client cancels the request: this future is then dropped.
        let cancel = CancelOnDrop(Arc::default());
        let cancelled = Arc::clone(&cancel.0);
        let runs = matches!(params.command.as_str(), commands::RUN | commands::TESTS);
        let answer = blocking(move || compute(&snapshot, &argument, &cancelled)).await?;
        drop(cancel);
        if runs {
            self.publisher.refresh_lenses();
        }
        let answer = answer_value(answer)?;
        if let Some((message, good)) = answer.message {
            self.publisher.show(message, good);
        }
        Ok(Some(answer.value))
    }
}

fn answer_value(answer: std::result::Result<Answer, String>) -> Result<Answer> {
    const REQUEST_FAILED: i64 = -32803;
    answer.map_err(|message| Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: message.into(),
        data: None,
    })
}

async fn blocking<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(compute).await.map_err(|_| Error::internal_error())
}

struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sends what the client did not ask for.
#[derive(Clone)]
struct Publisher {
    client: Client,
    documents: Arc<Documents>,
    /// The documents whose diagnostics are being computed, and whether they are to be computed once more.
    busy: Arc<Mutex<HashMap<lsp::Url, bool>>>,
    /// What was wrong with the configuration of a document, so that it is said once.
    misconfigured: Arc<Mutex<HashMap<lsp::Url, String>>>,
}

impl Publisher {
    /// Publishes a document's diagnostics soon; there is one task a document, which takes the newest version each time.
    fn publish(&self, uri: lsp::Url) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(again) = busy.get_mut(&uri) {
            *again = true;
            return;
        }
        busy.insert(uri.clone(), false);
        drop(busy);
        let publisher = self.clone();
        tokio::spawn(async move {
            publisher.publish_newest(&uri).await;
            while publisher.again(&uri) {
                publisher.publish_newest(&uri).await;
            }
        });
    }

    fn again(&self, uri: &lsp::Url) -> bool {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        match busy.get_mut(uri) {
            Some(again) if *again => {
                *again = false;
                true
            }
            _ => {
                busy.remove(uri);
                false
            }
        }
    }

    async fn publish_newest(&self, uri: &lsp::Url) {
        let Some(snapshot) = self.documents.get(uri) else {
            self.client.publish_diagnostics(uri.clone(), Vec::new(), None).await;
            return;
        };
        let testing = Arc::clone(&snapshot);
        let mut tests = tokio::task::spawn_blocking(move || testing.gather_evidence());
        if tokio::time::timeout(TEST_PATIENCE, &mut tests).await.is_err() {
            self.publish_version(Arc::clone(&snapshot)).await;
            // A newer version ends the tests of this one.
            tests.await.ok();
        }
        self.publish_version(snapshot).await;
    }

    async fn publish_version(&self, snapshot: Arc<Snapshot>) {
        let computing = Arc::clone(&snapshot);
        let found = blocking(move || {
            diagnostics(&computing).iter().map(|diagnostic| computing.diagnostic(diagnostic)).collect()
        });
        if let Ok(found) = found.await
            && self.documents.is_current(&snapshot)
        {
            self.client.publish_diagnostics(snapshot.uri.clone(), found, Some(snapshot.version)).await;
            self.complain(&snapshot);
        }
    }

    /// Says what is wrong with the configuration, unless that was said already.
    fn complain(&self, snapshot: &Snapshot) {
        let mut said = self.misconfigured.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = snapshot.configured().as_ref().err();
        if wrong == said.get(&snapshot.uri) {
            return;
        }
        said.remove(&snapshot.uri);
        if let Some(message) = wrong {
            said.insert(snapshot.uri.clone(), message.clone());
            let (client, message) = (self.client.clone(), message.clone());
            tokio::spawn(async move { client.show_message(lsp::MessageType::ERROR, message).await });
        }
    }

    fn refresh_lenses(&self) {
        if self.documents.traits().lens_refresh {
            let client = self.client.clone();
            // The client answers or not: nothing depends on it.
            tokio::spawn(
                async move { tokio::time::timeout(CLIENT_PATIENCE, client.code_lens_refresh()).await.is_ok() },
            );
        }
    }

    fn show(&self, message: String, good: bool) {
        if self.documents.traits().show_results {
            let client = self.client.clone();
            let kind = if good { lsp::MessageType::INFO } else { lsp::MessageType::WARNING };
            tokio::spawn(async move { client.show_message(kind, message).await });
        }
    }
}

fn client_traits(params: &lsp::InitializeParams) -> ClientTraits {
    let capabilities = &params.capabilities;
    let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let encoding = offered.into_iter().flatten().find_map(|kind| match kind.as_str() {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    });
    let completion = capabilities.text_document.as_ref().and_then(|document| document.completion.as_ref());
    let item = completion.and_then(|completion| completion.completion_item.as_ref());
    let lens = capabilities.workspace.as_ref().and_then(|workspace| workspace.code_lens.as_ref());
    let options = params.initialization_options.as_ref();
    ClientTraits {
        encoding: encoding.unwrap_or(Encoding::Utf16),
        snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
        lens_refresh: lens.and_then(|lens| lens.refresh_support).unwrap_or(false),
        show_results: options.and_then(|options| options.get("showResults")).and_then(Value::as_bool).unwrap_or(true),
    }
}

fn capabilities(encoding: Encoding) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            Encoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(["[", "@", "=", " ", "("].map(str::to_owned).to_vec()),
            ..lsp::CompletionOptions::default()
        }),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
            ..lsp::CodeActionOptions::default()
        })),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        document_range_formatting_provider: Some(lsp::OneOf::Left(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: commands::ALL.map(str::to_owned).to_vec(),
            ..lsp::ExecuteCommandOptions::default()
        }),
        ..lsp::ServerCapabilities::default()
    }
}

fn completion_item(item: completion::Item, snippets: bool) -> lsp::CompletionItem {
    lsp::CompletionItem {
        label: item.label,
        kind: Some(match item.kind {
            ItemKind::Register => lsp::CompletionItemKind::FIELD,
            ItemKind::Constant => lsp::CompletionItemKind::CONSTANT,
            ItemKind::Keyword => lsp::CompletionItemKind::KEYWORD,
            ItemKind::Function => lsp::CompletionItemKind::FUNCTION,
            ItemKind::Cell => lsp::CompletionItemKind::VARIABLE,
            ItemKind::Role => lsp::CompletionItemKind::PROPERTY,
        }),
        detail: Some(item.detail),
        insert_text_format: item.snippet.as_ref().filter(|_| snippets).map(|_| lsp::InsertTextFormat::SNIPPET),
        insert_text: item.snippet.filter(|_| snippets),
        ..lsp::CompletionItem::default()
    }
}

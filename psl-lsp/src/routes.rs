//! The function that answers each request about one document, and its latency class.
//!
//! Invariant: a request's latency class is declared next to its method. Requests that a user waits for never share a
//! class with those that run in the background.

use gen_lsp_types as lsp;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    client_capabilities::ClientCapabilities,
    config_problem::is_config,
    document::Document,
    from_proto::parameters,
    refusal::Refusal,
    requests,
    to_proto::{self, to_json},
    uri::Url,
};

/// A latency class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Latency {
    /// A user waits at the cursor. The answer needs at most an analysis of the text.
    Cursor,
    /// The editor needs it soon to draw the view.
    View,
    /// The answer needs a run of the program, which stops if it takes too long.
    BriefRun,
    /// The answer needs a run of the tests.
    Tests,
}

/// A request about a document, with parsed parameters.
pub struct DocumentRequest {
    /// The document.
    pub uri: Url,
    /// The latency class.
    pub latency: Latency,
    /// Answers the request from a version of the document, in JSON. May block.
    pub answer: Answer,
    /// The answer for a document that is not open, in JSON.
    pub not_open: String,
}

/// A function that answers a request from a version of its document, in JSON.
pub type Answer = Box<dyn FnOnce(&Document) -> Result<String, Refusal> + Send>;

/// Parses a request about one document, for a client with these capabilities. `None` if the method is not about one
/// document. A `psl.toml` supports only some methods.
///
/// # Errors
///
/// Returns a message about invalid parameters.
pub fn document_request(
    method: &str,
    params: Value,
    client: ClientCapabilities,
) -> Option<Result<DocumentRequest, Refusal>> {
    use lsp::Request;
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).and_then(|uri| Url::parse(uri).ok());
    if !uri.is_some_and(|uri| is_config(&uri)) {
        return about_program(method, params, client);
    }
    match lsp::LspRequestMethod::from(method) {
        lsp::HoverRequest::METHOD => Some(route(Latency::Cursor, params, requests::config_hover)),
        lsp::CompletionRequest::METHOD => Some(route(Latency::Cursor, params, requests::config_completion)),
        lsp::DocumentDiagnosticRequest::METHOD => about_program(method, params, client),
        _ => about_program(method, params, client).map(|request| {
            let request = request?;
            let nothing = request.not_open.clone();
            Ok(DocumentRequest { answer: Box::new(|_| Ok(nothing)), ..request })
        }),
    }
}

fn about_program(method: &str, params: Value, client: ClientCapabilities) -> Option<Result<DocumentRequest, Refusal>> {
    use lsp::Request;

    use Latency::{BriefRun, Cursor, Tests, View};
    Some(match lsp::LspRequestMethod::from(method) {
        lsp::HoverRequest::METHOD => route(Cursor, params, requests::hover),
        lsp::CompletionRequest::METHOD => route(Cursor, params, requests::completion),
        lsp::SignatureHelpRequest::METHOD => route(Cursor, params, requests::signature_help),
        lsp::DocumentHighlightRequest::METHOD => route(Cursor, params, requests::document_highlights),
        lsp::DefinitionRequest::METHOD | lsp::DeclarationRequest::METHOD => route(Cursor, params, requests::definition),
        lsp::ImplementationRequest::METHOD => route(Cursor, params, requests::implementations),
        lsp::CallHierarchyPrepareRequest::METHOD => route(Cursor, params, requests::prepare_call_hierarchy),
        lsp::CallHierarchyIncomingCallsRequest::METHOD => route(Cursor, params, requests::incoming_calls),
        lsp::CallHierarchyOutgoingCallsRequest::METHOD => route(Cursor, params, requests::outgoing_calls),
        lsp::ReferencesRequest::METHOD => route(Cursor, params, requests::references),
        lsp::SelectionRangeRequest::METHOD => route(Cursor, params, requests::selection_ranges),
        lsp::LinkedEditingRangeRequest::METHOD => route(Cursor, params, requests::linked_editing_ranges),
        lsp::DocumentOnTypeFormattingRequest::METHOD => route(Cursor, params, requests::on_type_formatting),
        lsp::PrepareRenameRequest::METHOD => route(Cursor, params, requests::prepare_rename),
        lsp::RenameRequest::METHOD => refusable(Cursor, params, requests::rename),
        lsp::DocumentFormattingRequest::METHOD => route(Cursor, params, requests::formatting),
        lsp::DocumentRangeFormattingRequest::METHOD => route(Cursor, params, requests::range_formatting),
        lsp::CodeActionRequest::METHOD => route(Cursor, params, requests::code_actions),
        lsp::DocumentSymbolRequest::METHOD => route(View, params, requests::document_symbols),
        lsp::FoldingRangeRequest::METHOD => route(View, params, requests::folding_ranges),
        lsp::DocumentLinkRequest::METHOD => route(View, params, requests::document_links),
        lsp::SemanticTokensRequest::METHOD => route(View, params, requests::semantic_tokens),
        lsp::SemanticTokensDeltaRequest::METHOD => route(View, params, requests::semantic_tokens_delta),
        lsp::SemanticTokensRangeRequest::METHOD => route(View, params, requests::semantic_tokens_range),
        lsp::CodeLensRequest::METHOD => {
            let lenses = move |document: &Document, _: &lsp::CodeLensParams| {
                to_json(&requests::code_lenses(document, client.show_debug))
            };
            request(View, params, lenses)
        }
        lsp::InlayHintRequest::METHOD => route(BriefRun, params, requests::inlay_hints),
        lsp::DocumentDiagnosticRequest::METHOD => {
            let none = to_json(&to_proto::no_diagnostics());
            let latency = if client.diagnostic_refresh { View } else { Tests };
            let read = route(latency, params, requests::diagnostic);
            read.and_then(|request| Ok(DocumentRequest { not_open: none?, ..request }))
        }
        _ => return None,
    })
}

fn route<P: DeserializeOwned + Send + 'static, T: Serialize + 'static>(
    latency: Latency,
    params: Value,
    answer: fn(&Document, &P) -> T,
) -> Result<DocumentRequest, Refusal> {
    request(latency, params, move |document, params| to_json(&answer(document, params)))
}

fn refusable<P: DeserializeOwned + Send + 'static, T: Serialize + 'static>(
    latency: Latency,
    params: Value,
    answer: fn(&Document, &P) -> Result<T, Refusal>,
) -> Result<DocumentRequest, Refusal> {
    request(latency, params, move |document, params| to_json(&answer(document, params)?))
}

fn request<P: DeserializeOwned + Send + 'static>(
    latency: Latency,
    params: Value,
    answer: impl FnOnce(&Document, &P) -> Result<String, Refusal> + Send + 'static,
) -> Result<DocumentRequest, Refusal> {
    let uri = params.pointer("/textDocument/uri").or(params.pointer("/item/uri")).cloned().unwrap_or_default();
    let params: P = parameters(params)?;
    let answer: Answer = Box::new(move |document| answer(document, &params));
    Ok(DocumentRequest { uri: parameters(uri)?, latency, answer, not_open: "null".to_owned() })
}

//! The function that answers each request about one document, and its latency class.
//!
//! Invariant: a request's latency class is declared next to its method. Requests that a user waits for never share a
//! class with those that run in the background.

use gen_lsp_types as lsp;
use serde::Serialize;
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

/// A method about one document.
pub struct Route {
    /// The method.
    pub method: &'static str,
    latency: Latency,
    read: Read,
    /// Reads a request about a `psl.toml`, if the method supports that.
    read_config: Option<Read>,
}

/// A request about a document, with parsed parameters.
pub struct DocumentRequest {
    /// The document.
    pub uri: Url,
    /// Answers the request from a version of the document, in JSON. May block.
    pub answer: Answer,
}

/// A function that answers a request from a version of its document, in JSON.
pub type Answer = Box<dyn FnOnce(&Document) -> Result<String, Refusal> + Send>;

/// A function that parses parameters.
type Read = Box<dyn Fn(Value) -> Result<Answer, Refusal> + Send + Sync>;

/// The methods about one document.
pub fn routes() -> Vec<Route> {
    use Latency::{BriefRun, Cursor, Tests, View};
    vec![
        route::<lsp::HoverRequest, _>(Cursor, requests::hover).or_config(requests::config_hover),
        route::<lsp::CompletionRequest, _>(Cursor, requests::completion).or_config(requests::config_completion),
        route::<lsp::SignatureHelpRequest, _>(Cursor, requests::signature_help),
        route::<lsp::DocumentHighlightRequest, _>(Cursor, requests::document_highlights),
        route::<lsp::DefinitionRequest, _>(Cursor, requests::definition),
        route::<lsp::DeclarationRequest, _>(Cursor, requests::declaration),
        route::<lsp::ImplementationRequest, _>(Cursor, requests::implementations),
        route::<lsp::CallHierarchyPrepareRequest, _>(Cursor, requests::prepare_call_hierarchy),
        route::<lsp::CallHierarchyIncomingCallsRequest, _>(Cursor, requests::incoming_calls),
        route::<lsp::CallHierarchyOutgoingCallsRequest, _>(Cursor, requests::outgoing_calls),
        route::<lsp::ReferencesRequest, _>(Cursor, requests::references),
        route::<lsp::SelectionRangeRequest, _>(Cursor, requests::selection_ranges),
        route::<lsp::LinkedEditingRangeRequest, _>(Cursor, requests::linked_editing_ranges),
        route::<lsp::DocumentOnTypeFormattingRequest, _>(Cursor, requests::on_type_formatting),
        route::<lsp::PrepareRenameRequest, _>(Cursor, requests::prepare_rename),
        refusable::<lsp::RenameRequest, _>(Cursor, requests::rename),
        route::<lsp::DocumentFormattingRequest, _>(Cursor, requests::formatting),
        route::<lsp::DocumentRangeFormattingRequest, _>(Cursor, requests::range_formatting),
        route::<lsp::CodeActionRequest, _>(Cursor, requests::code_actions),
        route::<lsp::DocumentSymbolRequest, _>(View, requests::document_symbols),
        route::<lsp::FoldingRangeRequest, _>(View, requests::folding_ranges),
        route::<lsp::DocumentLinkRequest, _>(View, requests::document_links),
        route::<lsp::SemanticTokensRequest, _>(View, requests::semantic_tokens),
        route::<lsp::SemanticTokensDeltaRequest, _>(View, requests::semantic_tokens_delta),
        route::<lsp::SemanticTokensRangeRequest, _>(View, requests::semantic_tokens_range),
        route::<lsp::CodeLensRequest, _>(View, requests::code_lenses),
        route::<lsp::InlayHintRequest, _>(BriefRun, requests::inlay_hints),
        route::<lsp::DocumentDiagnosticRequest, _>(Tests, requests::diagnostic).or_config(requests::diagnostic),
    ]
}

fn route<R: lsp::Request + 'static, T: Serialize + 'static>(
    latency: Latency,
    answer: fn(&Document, &R::Params) -> T,
) -> Route {
    Route {
        method: R::METHOD.as_str(),
        latency,
        read: read(move |document, params| to_json(&answer(document, params))),
        read_config: None,
    }
}

fn refusable<R: lsp::Request + 'static, T: Serialize + 'static>(
    latency: Latency,
    answer: fn(&Document, &R::Params) -> Result<T, Refusal>,
) -> Route {
    Route {
        method: R::METHOD.as_str(),
        latency,
        read: read(move |document, params| to_json(&answer(document, params)?)),
        read_config: None,
    }
}

fn read<P: serde::de::DeserializeOwned + Send + 'static>(
    answer: impl Fn(&Document, &P) -> Result<String, Refusal> + Copy + Send + Sync + 'static,
) -> Read {
    Box::new(move |params| {
        let params: P = parameters(params)?;
        Ok(Box::new(move |document| answer(document, &params)))
    })
}

impl Route {
    /// Answers requests about a `psl.toml` by this function.
    fn or_config<P: serde::de::DeserializeOwned + Send + 'static, T: Serialize + 'static>(
        self,
        answer: fn(&Document, &P) -> T,
    ) -> Self {
        Self { read_config: Some(read(move |document, params| to_json(&answer(document, params)))), ..self }
    }

    /// Whether the method requests diagnostics.
    pub fn asks_for_diagnostics(&self) -> bool {
        self.method == <lsp::DocumentDiagnosticRequest as lsp::Request>::METHOD.as_str()
    }

    /// The latency class of the method for a client with these capabilities.
    pub fn latency(&self, client: ClientCapabilities) -> Latency {
        // Such a client requests the diagnostics again after the tests.
        if self.asks_for_diagnostics() && client.diagnostic_refresh { Latency::View } else { self.latency }
    }

    /// Parses a request. A method that does not support a `psl.toml` answers as if the document was not open.
    ///
    /// # Errors
    ///
    /// Returns a message about invalid parameters.
    pub fn read(&self, params: Value) -> Result<DocumentRequest, Refusal> {
        let uri = params.pointer("/textDocument/uri").or(params.pointer("/item/uri")).cloned().unwrap_or_default();
        let of_config = uri.as_str().and_then(|uri| Url::parse(uri).ok()).is_some_and(|uri| is_config(&uri));
        let answer = match &self.read_config {
            Some(read_config) if of_config => read_config(params)?,
            _ => (self.read)(params)?,
        };
        let uri = parameters(uri)?;
        if of_config && self.read_config.is_none() {
            let nothing = self.not_open();
            return Ok(DocumentRequest { uri, answer: Box::new(|_| nothing) });
        }
        Ok(DocumentRequest { uri, answer })
    }

    /// The answer for a document that is not open, in JSON.
    ///
    /// # Errors
    ///
    /// Fails only if the server has a defect.
    pub fn not_open(&self) -> Result<String, Refusal> {
        if self.asks_for_diagnostics() { to_json(&to_proto::no_diagnostics()) } else { Ok("null".to_owned()) }
    }
}

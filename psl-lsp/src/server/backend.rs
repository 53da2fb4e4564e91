//! The handlers of the library's router. Each calls a function of the service and returns at once: the service answers
//! its request, now or later.

use std::{
    future::{Ready, ready},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use gen_lsp_types::{self as lsp, InitializeParams, InitializeResult, InitializedParams, Request};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use tower_lsp_server::{LanguageServer, LspService, LspServiceBuilder, jsonrpc};

use super::{open_requests::Reply, service::Service};
use crate::{
    from_proto::parameters,
    refusal::Refusal,
    requests,
    routes::{Route, routes},
    to_proto::to_json,
};

/// The service, shared by the handlers and the protocol's thread.
#[derive(Clone)]
pub struct Backend(Arc<Mutex<Service>>);

/// Parameters, or the reason why they are invalid. The router would not call the handler of a notification with invalid
/// parameters, which may have changed a text.
struct Parsed<P>(Result<P, Refusal>);

impl<'de, P: DeserializeOwned> Deserialize<'de> for Parsed<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|params| Self(parameters(params)))
    }
}

impl Backend {
    /// Creates the router of a service.
    pub fn router(service: Service) -> LspService<Self> {
        let builder = LspService::build_with_lifecycle_methods(|_| Self(Arc::new(Mutex::new(service))));
        let methods = Methods(builder)
            .on::<lsp::DidOpenTextDocumentNotification, _>(Service::did_open)
            .on::<lsp::DidChangeTextDocumentNotification, _>(Service::did_change)
            .on::<lsp::DidCloseTextDocumentNotification, _>(Service::did_close)
            .on::<lsp::DidSaveTextDocumentNotification, _>(Service::did_save)
            .on::<lsp::DidChangeConfigurationNotification, _>(Service::did_change_configuration)
            .on::<lsp::DidChangeWatchedFilesNotification, _>(Service::did_change_watched_files)
            .on::<lsp::DidChangeWorkspaceFoldersNotification, _>(Service::did_change_workspace_folders)
            .on::<lsp::WorkDoneProgressCancelNotification, _>(Service::cancel_work)
            .answer("psl/text", Service::text)
            .answer(lsp::CompletionResolveRequest::METHOD.as_str(), |service, item| {
                to_json(&requests::resolve_completion(item, service.session.client())).map(Reply::Now)
            })
            .answer(lsp::WorkspaceSymbolRequest::METHOD.as_str(), |service, params| Ok(service.symbols(params)))
            .answer(lsp::WillRenameFilesRequest::METHOD.as_str(), |service, params| {
                Ok(service.will_rename_files(&params))
            })
            .answer(lsp::WorkspaceDiagnosticRequest::METHOD.as_str(), |service, params| {
                Ok(service.workspace_diagnostics(params))
            })
            .answer(lsp::TextDocumentContentRequest::METHOD.as_str(), Service::content)
            .answer(lsp::ExecuteCommandRequest::METHOD.as_str(), Service::command);
        let (router, _) = routes().into_iter().fold(methods, Methods::route).0.finish();
        router
    }

    /// The service.
    pub fn lock(&self) -> MutexGuard<'_, Service> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to answer the request that was received last.
    fn answer(&self, begin: impl FnOnce(&mut Service) -> Result<Reply, Refusal>) -> Ready<jsonrpc::Result<()>> {
        let mut service = self.lock();
        let reply = begin(&mut service);
        service.open.reply(reply);
        ready(Ok(()))
    }
}

/// A router under construction.
struct Methods(LspServiceBuilder<Backend>);

impl Methods {
    /// Adds the function for a notification.
    fn on<N: lsp::Notification, P: DeserializeOwned + Send + 'static>(self, handle: fn(&mut Service, P)) -> Self {
        Self(self.0.custom_method(N::METHOD.as_str(), move |backend: &Backend, params: Parsed<P>| {
            let mut service = backend.lock();
            match params.0 {
                Ok(params) => handle(&mut service, params),
                Err(_) => service.has_invalid_parameters = true,
            }
            ready(())
        }))
    }

    /// Adds the function for a request.
    fn answer<P: DeserializeOwned + Send + 'static>(
        self,
        method: &'static str,
        begin: fn(&mut Service, P) -> Result<Reply, Refusal>,
    ) -> Self {
        Self(self.0.custom_method(method, move |backend: &Backend, params: Parsed<P>| {
            backend.answer(|service| begin(service, params.0?))
        }))
    }

    /// Adds a request about one document.
    fn route(self, route: Route) -> Self {
        let (method, route) = (route.method, Arc::new(route));
        Self(self.0.custom_method(method, move |backend: &Backend, params: Value| {
            backend.answer(|service| service.document_request(&route, params))
        }))
    }
}

impl LanguageServer for Backend {
    /// Greets a client. The parameters of `initialize` are in the options, as they arrived.
    async fn initialize(&self, params: InitializeParams) -> jsonrpc::Result<InitializeResult> {
        Ok(self.lock().initialize(&params.initialization_options.unwrap_or_default()))
    }

    async fn initialized(&self, _: InitializedParams) {
        self.lock().initialized();
    }

    async fn shutdown(&self) -> jsonrpc::Result<()> {
        self.lock().session.shut_down();
        Ok(())
    }
}

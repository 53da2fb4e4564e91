//! The language server: `psl lsp`.
//!
//! A document's way: [`documents`] keeps its text, each feature's file answers from one [`documents::Snapshot`] in offsets,
//! [`convert`] turns offsets into the client's positions, and [`backend`] speaks the protocol.

mod actions;
mod backend;
mod capabilities;
mod commands;
mod completion;
mod convert;
mod diagnostics;
mod documents;
mod formatting;
mod hover;
mod lens;
mod publisher;

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use tower_lsp::{
    LspService, Server,
    jsonrpc::{Request, Response},
};

use crate::source::Failure;

/// How many messages are handled side by side: with the library's four, as many long runs would hold up every edit.
const SIDE_BY_SIDE: usize = 64;

/// Serves standard input and output until `exit` or the end of the input.
pub fn run() -> Result<bool, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let state = Arc::new(documents::Documents::default());
    let (service, socket) = LspService::new(|client| backend::Backend::new(client, Arc::clone(&state)));
    let service = ExitAtOnce { service, state: Arc::clone(&state) };
    let server = Server::new(tokio::io::stdin(), tokio::io::stdout(), socket).concurrency_level(SIDE_BY_SIDE);
    runtime.block_on(server.serve(service));
    exit(&state)
}

/// Ends the process, without waiting for work under way: 0 after a `shutdown`, else 1.
fn exit(state: &documents::Documents) -> ! {
    std::process::exit(i32::from(!state.is_shut_down()))
}

/// Ends the process at the `exit` notification; the library would wait for the end of the input.
struct ExitAtOnce<S> {
    service: S,
    state: Arc<documents::Documents>,
}

impl<S> tower_service::Service<Request> for ExitAtOnce<S>
where
    S: tower_service::Service<Request, Response = Option<Response>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if request.method() == "exit" {
            exit(&self.state);
        }
        self.service.call(request)
    }
}

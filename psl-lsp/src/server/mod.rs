//! The language server: `psl lsp`.
//!
//! A document's way: [`documents`] keeps its text, each feature's file answers from one [`documents::Snapshot`] in offsets,
//! [`convert`] turns offsets into the client's positions, and [`backend`] speaks the protocol, over [`transport`].

mod actions;
mod backend;
mod capabilities;
mod commands;
mod completion;
mod convert;
mod diagnostics;
mod documents;
mod folding;
mod formatting;
mod framing;
mod hints;
mod hover;
mod kept;
mod lens;
mod linked;
mod links;
mod log;
mod navigation;
mod on_type;
mod outline;
mod page;
mod parent;
mod progress;
mod publisher;
mod pull;
mod selection;
mod settings;
mod signature;
mod summary;
mod tokens;
mod transport;
mod watched;
mod workspace;

use std::{path::Path, sync::Arc};

use tower_lsp::LspService;

use crate::source::Failure;

/// On how many threads answers are computed. Long work has its own (see [`progress`]). Each that was busy once keeps some memory.
const COMPUTING: usize = 2;

/// Serves standard input and output until `exit` or the end of the input; then the process ends without waiting for work under
/// way, with success after a `shutdown`.
pub fn run(log: Option<&Path>) -> Result<bool, Failure> {
    let log = match log {
        Some(path) => log::Log::create(path)
            .map_err(|error| Failure::Message(format!("cannot write {}: {error}", path.display())))?,
        None => log::Log::default(),
    };
    // The protocol needs one thread: what takes time is computed on others.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(COMPUTING).build();
    let runtime = runtime.map_err(|error| Failure::Message(format!("cannot start the server: {error}")))?;
    let state = Arc::new(documents::Documents::default());
    let (service, socket) = LspService::build(|client| backend::Backend::new(client, Arc::clone(&state)))
        .custom_method("psl/text", backend::Backend::text)
        .custom_method("window/workDoneProgress/cancel", backend::Backend::cancel_progress)
        .finish();
    runtime.block_on(transport::serve(service, socket, log));
    std::process::exit(i32::from(!state.is_shut_down()))
}

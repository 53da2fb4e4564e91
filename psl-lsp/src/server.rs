//! A server in a process of its own, on standard input and output.
//!
//! A keystroke's way: [`transport`] reads it, [`backend`] applies it to the session before the next message is looked at, and
//! [`publisher`] computes its diagnostics on another thread and sends them, if no newer version has come.

mod backend;
mod blocking;
mod client_process;
mod framing;
mod log;
mod patience;
mod publisher;
mod tasks;
mod transport;

use std::{path::Path, sync::Arc};

use tower_lsp::LspService;

use crate::{disk::Disk, session::Session};

/// On how many threads answers are computed. Long work has its own (see [`tasks`]). Each that was busy once keeps some memory.
const COMPUTING: usize = 2;

/// Serves standard input and output until `exit` or the end of the input; then the process ends without waiting for work under
/// way, with success after a `shutdown`. With `log`, every message is written to that file.
///
/// # Errors
///
/// Why it cannot start, in words.
pub fn run(log: Option<&Path>) -> Result<bool, String> {
    let log = match log {
        Some(path) => log::Log::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?,
        None => log::Log::default(),
    };
    // The protocol needs one thread: what takes time is computed on others.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(COMPUTING).build();
    let runtime = runtime.map_err(|error| format!("cannot start the server: {error}"))?;
    let session = Arc::new(Session::new(Arc::new(Disk::new())));
    let (service, socket) = LspService::build(|client| backend::Backend::new(client, Arc::clone(&session)))
        .custom_method("psl/text", backend::Backend::text)
        .custom_method("window/workDoneProgress/cancel", backend::Backend::cancel_progress)
        .finish();
    runtime.block_on(transport::serve(service, socket, log));
    std::process::exit(i32::from(!session.is_shut_down()))
}

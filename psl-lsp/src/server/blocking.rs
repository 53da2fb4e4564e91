//! Computing off the protocol's thread.

use tower_lsp::jsonrpc::{Error, Result};

/// Computes on a thread that may block.
pub async fn blocking<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(compute).await.map_err(|_| Error::internal_error())
}

//! Waiting for the client, but not forever.

use std::time::Duration;

/// How long the client may take to answer a request that nothing waits for.
const CLIENT_PATIENCE: Duration = Duration::from_secs(5);

/// The client's answer to a request, if it comes in time. One that comes later is still received: the library counts on that.
pub async fn in_time<T: Send + 'static>(answer: impl Future<Output = T> + Send + 'static) -> Option<T> {
    tokio::time::timeout(CLIENT_PATIENCE, tokio::spawn(answer)).await.ok()?.ok()
}

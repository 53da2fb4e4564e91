//! Accepts connections, within limits of number and time.

use std::{convert::Infallible, sync::Arc, time::Duration};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

use super::{answers::answer, site::Site};

/// Maximum number of connections. More wait until one of these ends. macOS allows 256 open files.
const CONNECTIONS: usize = 128;
/// Maximum time for the head of a request to arrive, which ends the connections of those who do not know an address.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum size of the head of a request, in bytes. It contains the cookies of all servers on loopback.
const MAX_HEAD: usize = 64 << 10;
/// Maximum time of a connection. A browser connects again to the events.
const LIFETIME: Duration = Duration::from_mins(10);
/// Time until the next attempt after an error, such as too many open files.
const RETRY: Duration = Duration::from_millis(100);

/// Accepts connections and serves them.
pub async fn accept(listener: TcpListener, site: Arc<Site>) {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(serve(stream, Arc::clone(&site), permit))),
            Err(_) => sleep(RETRY).await,
        }
    }
}

/// Serves one request.
async fn serve(stream: TcpStream, site: Arc<Site>, _permit: OwnedSemaphorePermit) {
    let service = service_fn(async |request| Ok::<_, Infallible>(answer(&site, request).await));
    let connection = http1::Builder::new()
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    // An error means that the client left, or does not use HTTP.
    timeout(LIFETIME, connection).await.ok();
}

//! Accepts connections, within limits of number and time.
//!
//! Invariant: a connection without a request keeps no other waiting.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::{Request, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::AbortHandle,
    time::{sleep, timeout},
};

use super::{answers::answer, responses, site::Site};

/// Maximum number of connections. More wait until one of these ends. macOS allows 256 open files.
const CONNECTIONS: usize = 128;
/// Maximum time for the head of a request to arrive, after which clients that do not know an address are disconnected.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Maximum size of the head of a request, in bytes. It contains the cookies of all servers on loopback.
const MAX_HEAD: usize = 64 << 10;
/// Maximum time of a connection. A browser connects again to the events.
const LIFETIME: Duration = Duration::from_mins(10);
/// Time until the next attempt after an error, such as too many open files.
const RETRY: Duration = Duration::from_millis(100);

struct Connection {
    /// Whether its request has arrived.
    has_request: Arc<AtomicBool>,
    task: AbortHandle,
}

/// Accepts connections and serves them. If there are too many, the oldest one without a request is closed.
pub async fn accept(listener: TcpListener, site: Arc<Site>) {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    let mut idle = VecDeque::<Connection>::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(RETRY).await;
            continue;
        };
        idle.retain(|waiting| !waiting.task.is_finished() && !waiting.has_request.load(Ordering::Relaxed));
        if free.available_permits() == 0
            && let Some(oldest) = idle.pop_front()
        {
            oldest.task.abort();
        }
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        let has_request = Arc::<AtomicBool>::default();
        let task = tokio::spawn(serve(stream, Arc::clone(&site), Arc::clone(&has_request), permit)).abort_handle();
        idle.push_back(Connection { has_request, task });
    }
}

/// Serves one request.
async fn serve(stream: TcpStream, site: Arc<Site>, has_request: Arc<AtomicBool>, _permit: OwnedSemaphorePermit) {
    let service = service_fn(async |request: Request<Incoming>| {
        has_request.store(true, Ordering::Relaxed);
        let is_too_long = head_length(&request) > MAX_HEAD;
        Ok::<_, Infallible>(if is_too_long {
            responses::status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
        } else {
            answer(&site, request).await
        })
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        // A head that arrives at once may be twice as long.
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    // An error means that the client left, or does not use HTTP.
    timeout(LIFETIME, connection).await.ok();
}

/// The length of the head of a request, in bytes, without line ends.
fn head_length(request: &Request<Incoming>) -> usize {
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    request.uri().to_string().len() + fields.sum::<usize>()
}

//! The way between the client's pipes and tower-lsp's service.
//!
//! The library's own loop ends at the first malformed message, and polls handlers in an order of its own. Here, each message is
//! handled up to its first wait before the next is looked at, so edits and the versions that requests take keep the client's
//! order; whatever waits goes on beside the others.

use std::{
    io::{self, BufReader},
    panic::AssertUnwindSafe,
    sync::Arc,
    thread,
    time::Duration,
};

use futures::{FutureExt, SinkExt, Stream, StreamExt};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tower_lsp::{
    ClientSocket, LspService,
    jsonrpc::{Error, ErrorCode, Id, Request, Response},
};
use tower_service::Service;

use super::{
    backend::Backend,
    framing::{self, Frames, Malformed},
    log::{Log, Peer},
};

/// How many messages may wait to be handled; more stay in the pipe.
const WAITING: usize = 256;
/// How many requests may be under way; the input waits for the first answers to leave then.
const UNDER_WAY: usize = 4096;
/// How long, at the end, answers under way may take to leave.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Serves standard input and output until the `exit` notification or the end of the input.
pub async fn serve(mut service: LspService<Backend>, socket: ClientSocket, log: Log) {
    let (requests, mut responses) = socket.split();
    let output = Output::start(log.clone());
    tokio::spawn(forward(requests, output.clone()));
    let mut input = start_input(log);
    let under_way = Arc::new(Semaphore::new(UNDER_WAY));
    let mut greeted = false;
    while let Some(message) = input.recv().await {
        let Ok(permit) = Arc::clone(&under_way).acquire_owned().await else { break };
        let output = output.clone();
        let request = match understood(message) {
            Ok(Message::Request(request)) if request.method() == "exit" => break,
            Ok(Message::Request(request)) => request,
            Ok(Message::Response(response)) => {
                // It fails after `exit`; and the library panics where nobody waits for the response any more.
                AssertUnwindSafe(responses.send(response)).catch_unwind().await.ok();
                continue;
            }
            Err(refusal) => {
                tokio::spawn(async move {
                    output.send(Message::Response(*refusal)).await;
                    drop(permit);
                });
                continue;
            }
        };
        let (id, is_initialize) = (request.id().cloned(), request.method() == "initialize");
        // The service is always ready but while it handles `initialize`, which is waited for.
        let mut handling = AssertUnwindSafe(service.call(request)).catch_unwind().boxed();
        let outcome = if is_initialize { Some((&mut handling).await) } else { (&mut handling).now_or_never() };
        greeted |= is_initialize;
        tokio::spawn(async move {
            let outcome = match outcome {
                Some(outcome) => outcome,
                None => handling.await,
            };
            // What the handler has told the client comes before its answer: `forward` has its turn.
            tokio::task::yield_now().await;
            if let Some(response) = response(outcome, id, greeted) {
                output.send(Message::Response(response)).await;
            }
            drop(permit);
        });
    }
    let answered = async {
        under_way.acquire_many(UNDER_WAY as u32).await.ok();
        output.flush().await;
    };
    tokio::time::timeout(LAST_WORDS, answered).await.ok();
}

/// What a handler's outcome, or its panic, means to the client. Each request has an answer.
fn response<E>(
    outcome: thread::Result<Result<Option<Response>, E>>,
    id: Option<Id>,
    greeted: bool,
) -> Option<Response> {
    const SERVER_NOT_INITIALIZED: ErrorCode = ErrorCode::ServerError(-32002);
    let id = id?;
    Some(match outcome {
        // The library tells of unknown methods first.
        Ok(Ok(_)) if !greeted => {
            let message = "`initialize` comes first".into();
            Response::from_error(id, Error { code: SERVER_NOT_INITIALIZED, message, data: None })
        }
        Ok(Ok(Some(response))) => response,
        Ok(Ok(None)) => Response::from_error(id, Error::method_not_found()),
        Ok(Err(_)) => Response::from_error(id, Error::invalid_request()),
        Err(_) => Response::from_error(id, Error::internal_error()),
    })
}

async fn forward(mut requests: impl Stream<Item = Request> + Unpin, output: Output) {
    while let Some(request) = requests.next().await {
        output.send(Message::Request(request)).await;
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Message {
    Request(Request),
    Response(Response),
}

/// A message by what it is, or the answer to one that is nothing.
fn understood(message: Result<Value, Malformed>) -> Result<Message, Box<Response>> {
    let mut message = message.map_err(|Malformed(why)| refusal(Id::Null, Error::parse_error(), why))?;
    without_null_parameters(&mut message);
    let id = message.get("id").cloned().and_then(|id| serde_json::from_value(id).ok()).unwrap_or(Id::Null);
    let understood = if message.get("method").is_some_and(Value::is_string) {
        serde_json::from_value(message).map(Message::Request)
    } else {
        serde_json::from_value(message).map(Message::Response)
    };
    understood.map_err(|error| refusal(id, Error::invalid_request(), error.to_string()))
}

/// Parameters that are null count as none: Emacs sends them with `shutdown`, where the library refuses them, and the library with
/// `workspace/codeLens/refresh`, where the protocol does not allow them.
fn without_null_parameters(message: &mut Value) {
    if let Some(fields) = message.as_object_mut().filter(|fields| fields.get("params") == Some(&Value::Null)) {
        fields.shift_remove("params");
    }
}

fn refusal(id: Id, error: Error, why: String) -> Box<Response> {
    Box::new(Response::from_error(id, Error { message: why.into(), ..error }))
}

/// Reads on a thread of its own.
fn start_input(log: Log) -> mpsc::Receiver<Result<Value, Malformed>> {
    let (to, from) = mpsc::channel(WAITING);
    thread::spawn(move || {
        for message in Frames::new(BufReader::with_capacity(1 << 16, io::stdin())) {
            log.write(Peer::Client, message.as_ref().map_err(|Malformed(why)| why.as_str()));
            if to.blocking_send(message).is_err() {
                return;
            }
        }
    });
    from
}

/// Writes on a thread of its own.
#[derive(Clone)]
struct Output(mpsc::Sender<Written>);

enum Written {
    Message(Message),
    /// All in front of it is written: tells so.
    Flush(oneshot::Sender<()>),
}

impl Output {
    fn start(log: Log) -> Self {
        let (to, mut from) = mpsc::channel(WAITING);
        thread::spawn(move || {
            let mut output = io::stdout().lock();
            while let Some(written) = from.blocking_recv() {
                match written {
                    Written::Message(message) => {
                        let Ok(mut message) = serde_json::to_value(message) else { continue };
                        without_null_parameters(&mut message);
                        log.write(Peer::Server, Ok(&message));
                        // With nobody left to read, the input ends too, and with it the process.
                        if framing::write(&mut output, &message).is_err() {
                            return;
                        }
                    }
                    Written::Flush(done) => drop(done.send(())),
                }
            }
        });
        Self(to)
    }

    async fn send(&self, message: Message) {
        self.0.send(Written::Message(message)).await.ok();
    }

    async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        self.0.send(Written::Flush(done)).await.ok();
        flushed.await.ok();
    }
}

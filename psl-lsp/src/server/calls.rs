//! The calls between the client and the library's router: ids, parameters and errors.
//!
//! Invariants: a call runs up to its first wait before the next message is handled, so that changes are applied in
//! order. Each request is answered once, under the client's id, in our words. No message changes the state of the
//! router by accident: `exit`, `initialize` and `shutdown` reach it only in their proper form.

use std::collections::HashMap;

use futures_util::{FutureExt, SinkExt, future::BoxFuture, stream::FuturesUnordered};
use gen_lsp_types::{self as lsp, Notification, Request};
use serde_json::{Value, json};
use tower_lsp_server::{
    ClientSocket, ExitedError, LspService,
    jsonrpc::{self, ErrorCode, Id},
};
use tower_service::Service as _;

use super::{
    backend::Backend,
    message::{self, Incoming, Malformed},
    outbox::Outbox,
    spelling,
};
use crate::{defect::Defect, refusal::Refusal};

const INITIALIZE: &str = lsp::InitializeRequest::METHOD.as_str();
const SHUTDOWN: &str = lsp::ShutdownRequest::METHOD.as_str();
const EXIT: &str = lsp::ExitNotification::METHOD.as_str();
const INITIALIZED: &str = lsp::InitializedNotification::METHOD.as_str();
const CANCEL: &str = lsp::CancelNotification::METHOD.as_str();
const SETTINGS: &str = lsp::ConfigurationRequest::METHOD.as_str();
const NOT_INITIALIZED: ErrorCode = ErrorCode::ServerError(-32002);

/// The result of a call, or `None` for a notification.
type Called = Result<Option<jsonrpc::Response>, ExitedError>;

/// The calls of a session.
pub struct Calls {
    router: LspService<Backend>,
    backend: Backend,
    outbox: Outbox,
    /// The number of the last request. The router knows requests by their numbers, since ids may repeat, and cancels
    /// only those with a short number.
    made: i32,
    /// The requests without an answer, by number.
    open: HashMap<i64, Call>,
    /// The computation of their answers.
    pub pending: FuturesUnordered<BoxFuture<'static, Called>>,
    /// The server's requests to the client.
    pub socket: ClientSocket,
    /// The last request for the client's settings.
    settings: Option<Id>,
}

/// A request without an answer.
struct Call {
    id: Value,
    method: String,
}

/// The next step of the session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Handle the next message.
    Message,
    /// End, since the client has sent `exit`.
    Exit,
}

impl Calls {
    /// Creates the calls of a new session.
    pub fn new(router: LspService<Backend>, socket: ClientSocket, outbox: Outbox) -> Self {
        let backend = router.inner().clone();
        Self {
            router,
            backend,
            outbox,
            made: 0,
            open: HashMap::new(),
            pending: FuturesUnordered::new(),
            socket,
            settings: None,
        }
    }

    /// Handles a message or malformed bytes.
    pub fn take(&mut self, message: Result<Value, Malformed>) -> Next {
        let mut message = match message {
            Ok(message) => message,
            Err(Malformed { why, may_hide_a_change }) => {
                self.send(&Value::Null, &Err(Refusal::Malformed(why).into()));
                if may_hide_a_change {
                    self.backend.lock().lose(Some(Value::Null));
                }
                return Next::Message;
            }
        };
        spelling::read(&mut message, &self.backend.lock().session);
        let changed = changed_text(&message);
        match Incoming::read(message) {
            Ok(Incoming::Request { id, method, params }) => self.request(id, method, params),
            Ok(Incoming::Notification { method, .. }) if method == EXIT => return Next::Exit,
            Ok(Incoming::Notification { method, params }) => {
                if !self.notification(method, params) {
                    self.backend.lock().lose(changed);
                }
            }
            Ok(Incoming::Response { id, result }) => self.response(&id, result),
            Err((id, refusal)) => {
                self.send(&id, &Err(refusal.into()));
                self.backend.lock().lose(changed);
            }
        }
        Next::Message
    }

    fn request(&mut self, id: Value, method: String, params: Value) {
        let params = match method.as_str() {
            // An unknown value of an enumeration must not refuse the session, so the handler reads the parameters
            // itself.
            INITIALIZE => Some(json!({"capabilities": {}, "initializationOptions": params})),
            SHUTDOWN => None,
            // The router would end on any `exit`.
            EXIT => return self.send(&id, &Err(self.refusal(&method).into())),
            _ => Some(params),
        };
        self.made = self.made.wrapping_add(1);
        let number = i64::from(self.made);
        let mut request = jsonrpc::Request::build(method.clone()).id(number);
        if let Some(params) = params {
            request = request.params(params);
        }
        self.open.insert(number, Call { id, method });
        let mut call = self.router.call(request.finish());
        // A defect in one request must not end the session.
        match Defect::guard(|| (&mut call).now_or_never()) {
            Ok(None) => self.pending.push(call),
            Ok(Some(Ok(Some(response)))) => self.answer(response),
            // The router does not answer unknown methods that begin with `$/`.
            Ok(Some(_)) => self.answer_with(number, Err(jsonrpc::Error::method_not_found())),
            Err(defect) => self.answer_with(number, Err(Refusal::from(defect).into())),
        }
    }

    /// Calls a notification, and returns whether its parameters were valid.
    fn notification(&mut self, method: String, params: Value) -> bool {
        match method.as_str() {
            CANCEL => {
                self.cancel(params.get("id"));
                true
            }
            // As notifications, they would change the state of the router.
            INITIALIZE | SHUTDOWN => true,
            // Some clients send it without parameters.
            INITIALIZED => self.call(method, json!({})),
            _ => self.call(method, params),
        }
    }

    fn call(&mut self, method: String, params: Value) -> bool {
        let mut call = self.router.call(jsonrpc::Request::build(method).params(params).finish());
        let called = Defect::guard(|| (&mut call).now_or_never());
        called.is_ok() && !std::mem::take(&mut self.backend.lock().has_invalid_parameters)
    }

    /// Cancels the requests with this id.
    fn cancel(&mut self, id: Option<&Value>) {
        let has_id = |open: &Call| Some(&open.id) == id;
        let numbers: Vec<i64> = self.open.iter().filter(|(_, open)| has_id(open)).map(|(number, _)| *number).collect();
        for number in numbers {
            self.call(CANCEL.to_owned(), json!({"id": number}));
        }
    }

    /// Passes on the client's answer to a request of the server.
    fn response(&mut self, id: &Value, result: Option<Value>) {
        if let Some(id) = id.as_i64() {
            self.reply(Id::Number(id), result.ok_or_else(jsonrpc::Error::internal_error));
        }
    }

    fn reply(&mut self, id: Id, result: jsonrpc::Result<Value>) {
        self.socket.send(jsonrpc::Response::from_parts(id, result)).now_or_never();
    }

    /// Sends the result of a pending call.
    pub fn called(&mut self, called: Called) {
        if let Ok(Some(response)) = called {
            self.answer(response);
        }
    }

    fn answer(&mut self, response: jsonrpc::Response) {
        if let (Id::Number(number), result) = response.into_parts() {
            self.answer_with(number, result);
        }
    }

    fn answer_with(&mut self, number: i64, result: jsonrpc::Result<Value>) {
        let Some(Call { id, method }) = self.open.remove(&number) else { return };
        let result = match result {
            // Our handlers answer in JSON: a long answer would take long as a value.
            Ok(Value::String(json)) => Ok(json),
            Ok(value) => Ok(value.to_string()),
            Err(error) => Err(match error.code {
                ErrorCode::RequestCancelled => Refusal::Cancelled.into(),
                ErrorCode::MethodNotFound | ErrorCode::InvalidRequest | NOT_INITIALIZED => self.refusal(&method).into(),
                _ => error,
            }),
        };
        self.send(&id, &result);
    }

    /// The reason why the router has no handler for a request now.
    fn refusal(&self, method: &str) -> Refusal {
        let service = self.backend.lock();
        if !service.greeted {
            Refusal::NotInitialized
        } else if method == INITIALIZE {
            Refusal::Invalid("`initialize` was already received".to_owned())
        } else if service.session.is_shut_down() {
            Refusal::Invalid("expected `exit` after `shutdown`".to_owned())
        } else {
            Refusal::UnknownMethod(method.to_owned())
        }
    }

    /// Sends a request to the client.
    pub fn ask(&mut self, request: jsonrpc::Request) {
        // The library remembers each request until its answer, and a client may answer none.
        if request.method() == SETTINGS
            && let Some(outdated) = std::mem::replace(&mut self.settings, request.id().cloned())
        {
            self.reply(outdated, Err(jsonrpc::Error::request_cancelled()));
        }
        self.outbox.send(message::ask(request));
    }

    fn send(&self, id: &Value, result: &jsonrpc::Result<String>) {
        self.outbox.send(message::response(id, result));
    }
}

/// The document whose text a message changes, null if it is unknown. `None` for other messages.
fn changed_text(message: &Value) -> Option<Value> {
    const CHANGES: [&str; 3] = [
        lsp::DidOpenTextDocumentNotification::METHOD.as_str(),
        lsp::DidChangeTextDocumentNotification::METHOD.as_str(),
        lsp::DidCloseTextDocumentNotification::METHOD.as_str(),
    ];
    let method = message.get("method")?.as_str()?;
    CHANGES.contains(&method).then(|| message.pointer("/params/textDocument/uri").cloned().unwrap_or_default())
}

//! The messages of the client, each handled before the next one, so that changes are applied in order.
//!
//! Invariants: each request is answered once, under the client's id, in our words. No message changes the state of the
//! router by accident: `exit`, `initialize` and `shutdown` reach it only in their proper form.

use std::task::{Context, Poll, Waker};

use gen_lsp_types::{self as lsp, Notification, Request};
use serde_json::{Value, json};
use tower_lsp_server::{LspService, jsonrpc};
use tower_service::Service as _;

use super::{
    backend::Backend,
    message::{Incoming, LostChange, Malformed},
    service::Service,
    spelling,
};
use crate::{defect::Defect, refusal::Refusal};

const INITIALIZE: &str = lsp::InitializeRequest::METHOD.as_str();
const SHUTDOWN: &str = lsp::ShutdownRequest::METHOD.as_str();
const EXIT: &str = lsp::ExitNotification::METHOD.as_str();
const INITIALIZED: &str = lsp::InitializedNotification::METHOD.as_str();
const CANCEL: &str = lsp::CancelNotification::METHOD.as_str();

/// The calls of a session.
pub struct Calls {
    router: LspService<Backend>,
    backend: Backend,
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
    pub fn new(router: LspService<Backend>) -> Self {
        Self { backend: router.inner().clone(), router }
    }

    /// Handles a message or malformed bytes.
    pub fn take(&mut self, message: Result<Value, Malformed>) -> Next {
        let mut message = match message {
            Ok(message) => message,
            Err(Malformed { why, may_hide_a_change }) => {
                let mut service = self.backend.lock();
                service.open.refuse_message(&Value::Null, &Refusal::Malformed(why));
                if may_hide_a_change {
                    service.lose(Some(LostChange::UNKNOWN));
                }
                return Next::Message;
            }
        };
        spelling::read(&mut message, &self.backend.lock().session);
        let changed = LostChange::of(&message);
        match Incoming::read(message) {
            Ok(Incoming::Request { id, method, params }) => self.request(id, method, params),
            Ok(Incoming::Notification { method, .. }) if method == EXIT => return Next::Exit,
            Ok(Incoming::Notification { method, params }) => {
                if !self.notification(method, params) {
                    self.backend.lock().lose(changed);
                }
            }
            Ok(Incoming::Response { id, result }) => {
                if let Some(number) = id.as_u64() {
                    self.backend.lock().replied(number, result.as_ref());
                }
            }
            Err((id, refusal)) => {
                let mut service = self.backend.lock();
                service.open.refuse_message(&id, &refusal);
                service.lose(changed);
            }
        }
        Next::Message
    }

    fn request(&mut self, id: Value, method: String, params: Value) {
        let number = self.backend.lock().open.receive(id, method.clone());
        let request = jsonrpc::Request::build(method.clone()).id(number);
        let called = match method.as_str() {
            // The router would end on any `exit`.
            EXIT => Ok(None),
            // An unknown value of an enumeration must not refuse the session, so the handler reads the parameters
            // itself.
            INITIALIZE => self.call(request.params(json!({"capabilities": {}, "initializationOptions": params}))),
            SHUTDOWN => self.call(request),
            _ => self.call(request.params(params)),
        };
        let mut service = self.backend.lock();
        if !service.open.is_unhandled(number) {
            return;
        }
        let result = match called {
            Ok(Some(result)) => Ok(result.to_string()),
            // No handler was called.
            Ok(None) => Err(refusal(&service, method)),
            Err(defect) => Err(defect.into()),
        };
        service.open.answer(number, result.as_deref());
    }

    /// Calls a notification, and returns whether its parameters were valid.
    fn notification(&mut self, method: String, params: Value) -> bool {
        let params = match method.as_str() {
            CANCEL => {
                self.backend.lock().cancel(params.get("id"));
                return true;
            }
            // As notifications, they would change the state of the router.
            INITIALIZE | SHUTDOWN => return true,
            // Some clients send it without parameters.
            INITIALIZED => json!({}),
            _ => params,
        };
        let called = self.call(jsonrpc::Request::build(method).params(params));
        called.is_ok() && !std::mem::take(&mut self.backend.lock().has_invalid_parameters)
    }

    /// Calls a handler, which returns at once. Returns the result in the router's response, if there is one. A defect
    /// in one request must not end the session.
    fn call(&mut self, request: jsonrpc::RequestBuilder) -> Result<Option<Value>, Defect> {
        let called = Defect::guard(|| {
            self.router.call(request.finish()).as_mut().poll(&mut Context::from_waker(Waker::noop()))
        })?;
        let Poll::Ready(Ok(Some(response))) = called else { return Ok(None) };
        Ok(response.into_parts().1.ok())
    }
}

/// The reason why the router has no handler for a request now.
fn refusal(service: &Service, method: String) -> Refusal {
    if !service.greeted {
        Refusal::NotInitialized
    } else if method == INITIALIZE {
        Refusal::Invalid("`initialize` was already received".to_owned())
    } else if service.session.is_shut_down() {
        Refusal::Invalid("expected `exit` after `shutdown`".to_owned())
    } else {
        Refusal::UnknownMethod(method)
    }
}

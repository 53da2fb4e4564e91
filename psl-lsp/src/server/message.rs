//! Messages of JSON-RPC 2.0.

use gen_lsp_types::{self as lsp, Notification as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Bytes or a text that are not a message.
#[derive(Debug)]
pub struct Malformed {
    /// The reason.
    pub why: String,
    /// Whether the bytes or the text may be the rest of a message that changes a text.
    pub may_hide_a_change: bool,
}

/// A lost message that changes the text of a document.
#[derive(Debug)]
pub struct LostChange {
    /// The document's URI. Null if it is unknown.
    pub document: Value,
    /// Whether the message may have opened the document.
    pub may_open: bool,
}

impl LostChange {
    /// Any change.
    pub const UNKNOWN: Self = Self { document: Value::Null, may_open: true };

    /// The change that is lost with a message, or `None` if it changes no text.
    pub fn of(message: &Value) -> Option<Self> {
        const OPEN: &str = lsp::DidOpenTextDocumentNotification::METHOD.as_str();
        const CHANGE: &str = lsp::DidChangeTextDocumentNotification::METHOD.as_str();
        const CLOSE: &str = lsp::DidCloseTextDocumentNotification::METHOD.as_str();
        let method = message.get("method")?.as_str()?;
        let document = || message.pointer("/params/textDocument/uri").cloned().unwrap_or_default();
        [OPEN, CHANGE, CLOSE].contains(&method).then(|| Self { document: document(), may_open: method == OPEN })
    }
}

/// A message from the client.
#[derive(Debug)]
pub enum Incoming {
    /// A request, to be answered under its id: a number, a string or null.
    Request {
        /// The id.
        id: Value,
        /// The method.
        method: String,
        /// The parameters, or null.
        params: Value,
    },
    /// A notification, which has no answer.
    Notification {
        /// The method.
        method: String,
        /// The parameters, or null.
        params: Value,
    },
    /// The answer to one of our requests.
    Response {
        /// The request's id.
        id: Value,
        /// The result, or `None` if the client refused.
        result: Option<Value>,
    },
}

impl Incoming {
    /// Reads a message.
    ///
    /// # Errors
    ///
    /// Returns the id to answer under and the reason why it is not a message.
    pub fn read(message: Value) -> Result<Self, (Value, Refusal)> {
        #[derive(Deserialize)]
        struct Fields {
            jsonrpc: String,
            id: Option<Value>,
            method: Option<String>,
            #[serde(default)]
            params: Value,
            #[serde(default, deserialize_with = "present")]
            result: Option<Value>,
            error: Option<Value>,
        }
        let id = message.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default();
        let invalid = |why: String| (id.clone(), Refusal::Invalid(why));
        // The deserializer would also read an array of the fields.
        if !message.is_object() {
            return Err(invalid("expected an object".to_owned()));
        }
        // An id of null is still an id.
        let has_id = message.get("id").is_some();
        let fields: Fields = serde_json::from_value(message).map_err(|error| invalid(error.to_string()))?;
        if fields.jsonrpc != "2.0" {
            return Err(invalid(format!("expected version 2.0 in `jsonrpc`, found {}", fields.jsonrpc)));
        }
        if fields.id.as_ref().is_some_and(|id| !is_id(id)) {
            return Err(invalid("expected a number or a string as `id`".to_owned()));
        }
        match (fields.method, fields.result, fields.error) {
            (Some(method), ..) if has_id => Ok(Self::Request { id, method, params: fields.params }),
            (Some(method), ..) => Ok(Self::Notification { method, params: fields.params }),
            (None, Some(result), None) => Ok(Self::Response { id, result: Some(result) }),
            (None, _, Some(_)) => Ok(Self::Response { id, result: None }),
            (None, None, None) => Err(invalid("expected a `method`, a `result` or an `error`".to_owned())),
        }
    }
}

/// A present field, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(field: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(field).map(Some)
}

fn is_id(id: &Value) -> bool {
    id.is_null() || id.is_number() || id.is_string()
}

/// Creates the answer to a request: its result as JSON, or the reason why there is none.
pub fn response(id: &Value, result: Result<&str, &Refusal>) -> String {
    match result {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(refusal) => {
            let error = json!({"code": refusal.code(), "message": refusal.to_string()});
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        }
    }
}

/// Creates one of our requests.
pub fn ask<R: gen_lsp_types::Request>(number: u64, params: &R::Params) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"{}"{}}}"#, R::METHOD.as_str(), field(params))
}

/// Creates one of our notifications.
pub fn tell<N: gen_lsp_types::Notification>(params: &N::Params) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{}"{}}}"#, N::METHOD.as_str(), field(params))
}

/// The field with the parameters. The protocol does not allow null here, so the field is left out if there are none.
fn field(params: &impl Serialize) -> String {
    match serde_json::to_string(params) {
        Ok(params) if params != "null" => format!(r#","params":{params}"#),
        _ => String::new(),
    }
}

//! Messages of JSON-RPC 2.0, as the two sides exchange them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// A message of the client.
#[derive(Debug)]
pub enum Incoming {
    /// Wants an answer under its id, a number, a string or null.
    Request {
        /// The id.
        id: Value,
        /// The method.
        method: String,
        /// The parameters; null where there are none.
        params: Value,
    },
    /// Wants none.
    Notification {
        /// The method.
        method: String,
        /// The parameters; null where there are none.
        params: Value,
    },
    /// Answers a request of ours.
    Response {
        /// The request's id.
        id: Value,
        /// The result; nothing where the client refused.
        result: Option<Value>,
    },
}

impl Incoming {
    /// What a message is.
    ///
    /// # Errors
    ///
    /// The id to answer under, and why it is not a message.
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
        // The deserializer would read an array as the fields in their order.
        if !message.is_object() {
            return Err(invalid("a message is an object".to_owned()));
        }
        // An id of null is an id all the same.
        let has_id = message.get("id").is_some();
        let fields: Fields = serde_json::from_value(message).map_err(|error| invalid(error.to_string()))?;
        if fields.jsonrpc != "2.0" {
            return Err(invalid(format!("`jsonrpc` is 2.0, not {}", fields.jsonrpc)));
        }
        if fields.id.as_ref().is_some_and(|id| !is_id(id)) {
            return Err(invalid("an id is a number or a string".to_owned()));
        }
        match (fields.method, fields.result, fields.error) {
            (Some(method), ..) if has_id => Ok(Self::Request { id, method, params: fields.params }),
            (Some(method), ..) => Ok(Self::Notification { method, params: fields.params }),
            (None, Some(result), None) => Ok(Self::Response { id, result: Some(result) }),
            (None, _, Some(_)) => Ok(Self::Response { id, result: None }),
            (None, None, None) => Err(invalid("a message has a `method`, a `result` or an `error`".to_owned())),
        }
    }
}

/// A field that is there, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(field: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(field).map(Some)
}

fn is_id(id: &Value) -> bool {
    id.is_null() || id.is_number() || id.is_string()
}

/// The answer to a request: its result as JSON, or why it has none.
pub fn response(id: &Value, result: &Result<String, Refusal>) -> String {
    match result {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(refusal) => {
            let error = json!({"code": refusal.code(), "message": refusal.to_string()});
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        }
    }
}

/// A request of ours.
pub fn ask<R: lsp_types::request::Request>(id: u64, params: &R::Params) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{}"{}}}"#, R::METHOD, field(params))
}

/// A notification of ours.
pub fn tell<N: lsp_types::notification::Notification>(params: &N::Params) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{}"{}}}"#, N::METHOD, field(params))
}

/// The field with the parameters. The protocol does not allow null here: without parameters the field is left out.
fn field(params: &impl Serialize) -> String {
    match serde_json::to_string(params) {
        Ok(params) if params != "null" => format!(r#","params":{params}"#),
        _ => String::new(),
    }
}

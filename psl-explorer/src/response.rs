//! Responses to requests.

use serde::Serialize;

/// The response to a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Response<T> {
    Ok(T),
    /// The reason why there is no answer, for users.
    Error(String),
}

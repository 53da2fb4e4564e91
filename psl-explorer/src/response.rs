//! The response to a request.

use serde::Serialize;

/// The response to a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Response<T> {
    /// The answer.
    Ok(T),
    /// The message of a request that has no answer.
    Error(String),
}

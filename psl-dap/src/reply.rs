//! The results of requests.

use serde_json::Value;

use crate::{resumption::Resumption, to_proto::News};

/// The result of a request.
pub struct Reply {
    /// The body of the response, or null.
    pub body: Value,
    /// The changes that the client learns of after the response.
    pub news: Vec<News>,
    /// The work that begins after the response and the news.
    pub then: Then,
}

impl Reply {
    /// Creates a response with a body, and without further work.
    pub fn of(body: Value) -> Self {
        Self { body, news: Vec::new(), then: Then::Nothing }
    }

    /// Creates a response without a body, and with further work.
    pub fn then(then: Then) -> Self {
        Self { then, ..Self::of(Value::Null) }
    }
}

/// The work after a response.
pub enum Then {
    Nothing,
    /// The client sets breakpoints.
    Initialized,
    /// A resumption, then its stop.
    Resume(Resumption),
    /// The end of the session.
    Terminate,
    /// The end of the adapter.
    Disconnect,
}

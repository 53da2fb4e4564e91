//! The results of requests.

use serde_json::Value;

use crate::resumption::Resumption;

/// The result of a request.
pub struct Reply {
    /// The body of the response, or null.
    pub body: Value,
    /// The changes that the client learns of after the response.
    pub news: Vec<News>,
    /// The rest of the request, which begins after the response and the news.
    pub then: Then,
}

impl Reply {
    /// A body alone.
    pub fn of(body: Value) -> Self {
        Self { body, news: Vec::new(), then: Then::Nothing }
    }

    /// A response without a body, and what follows it.
    pub fn then(then: Then) -> Self {
        Self { then, ..Self::of(Value::Null) }
    }
}

/// A change of the run.
pub enum News {
    /// The second machine has `started` or `exited`.
    SecondMachine(&'static str),
    /// Other values, so that a client asks for all again.
    Invalidated,
}

/// The rest of a request, after its response.
pub enum Then {
    /// Nothing.
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

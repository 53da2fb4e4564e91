//! The changes of a run that its client learns of.

use serde_json::json;

use crate::{
    requests::Abilities,
    transport::protocol::{Client, SECOND},
};

/// A change of the run.
pub enum News {
    /// The second machine has `started` or `exited`.
    SecondMachine(&'static str),
    /// Values have changed, so the client requests all of them again.
    Invalidated,
}

impl News {
    /// Sends the event, if a client with these abilities knows it.
    pub fn tell(&self, client: &Client, abilities: &Abilities) {
        match self {
            Self::SecondMachine(reason) => {
                client.event("thread", json!({ "reason": reason, "threadId": SECOND }));
            }
            Self::Invalidated if abilities.supports_invalidated_event => {
                client.event("invalidated", json!({ "areas": ["all"] }));
            }
            Self::Invalidated => {}
        }
    }
}

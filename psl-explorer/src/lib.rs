//! The answers to the explorer's page about a program and its runs, in JSON.
//!
//! ```text
//! explorer_page(template, data)   the page with its data
//! PageSession::call(request)      {"ok": …} or {"error": "message"}
//! parse_tree, layer_tensors, …    the pictures of runs and weights
//! exports                         a session in a browser's worker, through the memory of the module
//! ```
//!
//! `web/src/protocol.ts` is generated from the types of requests and answers.
//!
//! Invariant: no request panics, whatever its numbers. The module imports nothing.

mod answers;
mod explorer_page;
mod explorer_prompt;
#[cfg(target_family = "wasm")]
mod exports;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
mod layer_tensors;
mod no_answer;
mod parse_pictures;
mod positions;
#[cfg(test)]
mod protocol;
#[cfg(test)]
mod protocol_names;
mod request;
mod residual_stream;
mod response;
mod scheduled_run;
mod session;
mod view;

pub use explorer_page::{PageAgainst, PageData, PageExample, PageProgram, PageServer, explorer_page};
pub use explorer_prompt::FirstPrompt;
pub use request::{PagePrompt, SetValue};
pub use session::PageSession;

//! The answers to the explorer's page: a program and its runs, asked by JSON.
//!
//! ```text
//! explorer_page(template, data)   the page with its data
//! PageSession::call(request)      {"ok": …} or {"error": "message"}
//! parse_tree, layer_tensors, …    the pictures of a run and of weights
//! exports                         a session for a worker in a browser, through the module's memory
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
mod session;
mod view;

pub use explorer_page::{PageAgainst, PageData, PageExample, PageProgram, PageServer, explorer_page};
pub use explorer_prompt::explorer_prompt;
pub use request::PagePrompt;
pub use session::PageSession;

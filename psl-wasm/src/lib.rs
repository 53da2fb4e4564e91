//! The explorer's module: a program and its runs, asked by JSON.
//!
//! ```text
//! Session::call(request) -> {"ok": …} or {"error": "message"}
//! exports                   the same for a worker in a browser, through the module's memory
//! ```
//!
//! The shapes of requests and answers are those of `web/src/protocol.ts`.
//!
//! Invariant: no request panics, whatever its numbers. The module imports nothing.

mod answers;
#[cfg(target_family = "wasm")]
mod exports;
mod positions;
mod request;
mod session;
mod view;

pub use session::Session;

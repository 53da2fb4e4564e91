//! The language server as a library.
//!
//! ```text
//! session      the open documents, each version a Document with its psl_ide::File: synchronous, no waiting
//! routes       each request's method, latency class and function
//! requests     one function a request: from_proto in, one call of psl_ide, to_proto out
//! commands     the same for workspace/executeCommand
//! server       pipes, threads and timers around them: one way to run the handlers (feature `native`)
//! disk         the files that a server in a process of its own finds (feature `native`)
//! workspace    the programs in the folders that the editor has open (feature `native`)
//! ```
//!
//! A request's way: `server::input` reads the message, `server::service` takes the document's newest version, `routes` says which
//! of the `server::lanes` computes the answer and by which function of `requests`, and the `server::outbox` writes it.
//!
//! Invariants: columns, URIs and the protocol's types are known to this crate alone; the types are read in `from_proto` and built
//! in `to_proto` and `capabilities`. Without the feature `native` there are no files, threads or timers, so that a worker in a
//! browser runs the same handlers.

pub mod capabilities;
mod client_capabilities;
pub mod commands;
pub mod compact_diagnostic;
pub mod config_problem;
#[cfg(feature = "native")]
pub mod disk;
pub mod document;
pub mod encoding;
#[cfg(test)]
mod fixture;
pub mod from_proto;
pub mod host;
mod protocol_names;
pub mod refusal;
pub mod requests;
pub mod routes;
mod run_tests;
mod sent_tokens;
#[cfg(feature = "native")]
pub mod server;
pub mod session;
pub mod settings;
pub mod to_proto;
#[cfg(feature = "native")]
pub mod workspace;

pub use client_capabilities::ClientCapabilities;
pub use run_tests::run_tests;

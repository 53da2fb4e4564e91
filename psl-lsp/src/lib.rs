//! The language server as a library.
//!
//! ```text
//! session      the open documents, each version a Document with its psl_program::File: synchronous, never blocks
//! routes       each request's method, latency class and function
//! requests     one function per request: from_proto in, one call of psl_ide, to_proto out
//! commands     the same for workspace/executeCommand
//! server       the messages, lanes and results; pipes and threads (feature `native`), or a browser's worker
//! disk         files and time, for a server in a separate process (feature `native`)
//! workspace    the programs in the editor's open folders (feature `native`)
//! ```
//!
//! The path of a request: `server::stdio` or a browser's worker reads the message, `server::calls` passes it to the
//! router of the library, `server::service` takes the document's newest version, `routes` chooses the `server::lanes`
//! lane that computes the answer and the function of `requests`, and the `server::outbox` writes the answer.
//!
//! Invariants: columns, URIs and the protocol's types never leave this crate. The protocol's types are read in
//! `from_proto` and built in `to_proto` and `capabilities`. Without the feature `native` there are no files, threads or
//! timers, so that a worker in a browser runs the same handlers.

pub mod capabilities;
mod client_capabilities;
pub mod commands;
pub mod compact_diagnostic;
pub mod config_problem;
mod content;
pub mod defect;
#[cfg(feature = "native")]
pub mod disk;
pub mod document;
pub mod encoded_text;
#[cfg(test)]
mod fixture;
pub mod from_proto;
pub mod host;
pub mod notice;
mod protocol_names;
pub mod refusal;
pub mod renames;
pub mod requests;
pub mod routes;
mod run_tests;
mod search_time;
mod sent_tokens;
pub mod server;
pub mod session;
pub mod settings;
pub mod to_proto;
pub mod uri;
#[cfg_attr(not(feature = "native"), path = "workspace/without_folders.rs")]
pub mod workspace;

pub use client_capabilities::ClientCapabilities;
pub use run_tests::run_tests;

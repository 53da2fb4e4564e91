//! The server: its messages, its lanes and its results.
//!
//! The path of a keystroke: a message arrives in [`stdio`] or in the browser's worker, [`calls`] passes it to the
//! router of the library before the next message, whose handler in [`backend`] applies it to the session, [`publisher`]
//! starts the computation of its diagnostics in the [`lanes`], and the [`outbox`] has them unless a newer version has
//! arrived.

mod backend;
#[cfg(not(feature = "native"))]
mod browser;
mod calls;
mod client_requests;
mod config_reports;
mod event;
#[cfg(not(feature = "native"))]
mod exports;
mod job;
mod lanes;
mod message;
#[cfg(feature = "native")]
mod native;
mod notifications;
mod open_requests;
mod outbox;
mod page_data;
mod platform;
mod publisher;
mod service;
mod spelling;
#[cfg(feature = "native")]
pub mod stdio;
mod testing;
mod virtual_documents;
#[cfg(not(feature = "native"))]
mod worker;

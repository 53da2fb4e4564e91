//! The parts of the server that need a process of its own: pipes, threads and pages on loopback.

mod client_process;
mod explorer;
pub mod input;
mod lane;
pub mod log;
pub mod writer;

pub use client_process::watch;
pub use explorer::{Explorer, ExplorerTemplate};
pub use lane::{Lane, yield_to_others};

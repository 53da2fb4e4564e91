//! The parts of the server that need a process of its own: pipes, threads and pages on loopback.

mod client_process;
mod explorer;
pub mod input;
pub mod log;
mod threads;
pub mod writer;

pub use client_process::watch;
pub use explorer::{Explorer, ExplorerTemplate};
pub use threads::{Lane, yield_to_others};

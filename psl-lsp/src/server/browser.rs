//! The parts of the server in a browser's worker: queues instead of threads, and the page as host.

pub mod host;
mod lane;
mod no_pages;

pub use lane::Lane;
pub use no_pages::{Explorer, ExplorerTemplate};

/// Ignores the editor's process, which is the page itself.
pub fn watch(_: u32) {}

//! The parts of the server that differ between a process and a browser's worker.

#[cfg(feature = "native")]
pub use super::process::{Explorer, ExplorerTemplate, Lane, watch};
#[cfg(not(feature = "native"))]
pub use super::worker_parts::{Explorer, ExplorerTemplate, Lane, watch};

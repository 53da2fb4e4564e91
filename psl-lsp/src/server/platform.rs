//! The parts of the server that differ between a process and a browser's worker.

#[cfg(not(feature = "native"))]
pub use super::browser::{Explorer, ExplorerTemplate, Lane, watch};
#[cfg(feature = "native")]
pub use super::native::{Explorer, ExplorerTemplate, Lane, watch};

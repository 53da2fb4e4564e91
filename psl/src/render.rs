//! Diagnostics for programs: each file below is one rendering of the same data, or a part of one.

mod github;
pub mod json;
mod sarif;
mod selection;
mod short;
mod uri;

pub use github::github;
pub use json::json;
pub use sarif::Sarif;
pub use selection::{MAX_DIAGNOSTICS, Selection};
pub use short::short;

//! Diagnostics for people and for programs: each file below is one rendering of the same data, or a part of one.

mod excerpt;
mod github;
mod human;
mod json;
mod labeled_line;
mod sarif;
mod selection;
mod short;
mod uri;

pub use github::github;
pub use human::human;
pub use json::json;
pub use sarif::Sarif;
pub use selection::{MAX_DIAGNOSTICS, Selection};
pub use short::short;

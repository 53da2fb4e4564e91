//! A plan: the schedule of a program as users see it, with the names of its productions, and what flows between its
//! heads.

mod flows;
mod json;
mod named_layers;

pub use flows::Flow;
pub(crate) use named_layers::short_label;
pub use named_layers::{Plan, PlannedProduction, PlannedRepeat};

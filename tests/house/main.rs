//! Finds violations of the house rules in the code of the workspace.

pub mod circles;
pub mod dependencies;
pub mod literals;
pub mod names;
pub mod protocol_values;
pub mod source;

//! Reads the workspace's own code and says where it breaks a rule of the house.

pub mod circles;
pub mod dependencies;
pub mod literals;
pub mod names;
pub mod protocol_values;
pub mod source;

//! The text about a production that may attend to a cell to its right.

/// The explanation if nothing is proved.
pub const UNPROVED: &str = "not proved causal: `n` may be to the right of `N`";

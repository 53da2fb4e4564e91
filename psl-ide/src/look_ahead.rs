//! What is said of a production that may read cells to the right of its own.

/// The reason to say so where nothing is proved.
pub const UNPROVED: &str = "not proved causal: n may be to the right of N";

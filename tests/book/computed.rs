//! The functions for the blocks `<!-- computed NAME -->`.

/// The text of a computed block, or `None` if the name is unknown.
pub fn computed(_name: &str) -> Option<String> {
    None
}

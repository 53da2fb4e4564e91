//! What the environment says of how much is tried.

/// A number of the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |number| number.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

//! Variables of the environment that scale a test.

/// The number in a variable of the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |number| number.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

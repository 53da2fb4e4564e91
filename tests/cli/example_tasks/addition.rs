//! The sum of two binary numbers.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// Prompts whose longer number has 24 to 60 digits, and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    (0..2000).map(move |_| {
        let limit = 1u64 << random.random_range(24..=60);
        let first = random.random_range(limit / 2..limit);
        let second = match random.random_range(0..3) {
            // The sum is a power of two: a carry moves through all digits except the last ones.
            0 => limit - first,
            1 => random.random_range(0..1 << 13),
            _ => random.random_range(0..limit),
        };
        let [first, second] = if random.random_bool(0.5) { [first, second] } else { [second, first] };
        (format!("{} + {} =", digits(first), digits(second)), digits(first + second) + " .")
    })
}

/// The binary digits of a number, separated by spaces.
fn digits(number: u64) -> String {
    let digits: Vec<_> = format!("{number:b}").chars().map(String::from).collect();
    digits.join(" ")
}

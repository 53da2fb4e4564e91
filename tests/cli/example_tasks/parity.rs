//! Whether the number of ones is odd.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use super::symbols::{ROWS, row};

/// Prompts of 31 to 100 bits, and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(31..=100).take(2000).map(|bits| {
        let parity = parities(&bits).pop().expect("a bit");
        (bits.join(" "), format!("{parity} ."))
    })
}

/// Prompts of 1 to 12 bits, and their rows: the parity of each prefix.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    prompts(1..=12).take(ROWS).map(|bits| row(&bits, &parities(&bits)))
}

fn prompts(lengths: RangeInclusive<usize>) -> impl Iterator<Item = Vec<String>> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    std::iter::repeat_with(move || {
        let length = random.random_range(lengths.clone());
        (0..length).map(|_| random.random_range(0..=1).to_string()).collect()
    })
}

/// The parity of each prefix.
fn parities(bits: &[String]) -> Vec<String> {
    let ones = |length: usize| bits[..length].iter().filter(|bit| *bit == "1").count();
    (1..=bits.len()).map(|length| (ones(length) % 2).to_string()).collect()
}

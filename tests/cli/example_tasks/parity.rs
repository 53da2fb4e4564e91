//! Whether the number of ones is odd.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// Prompts of 31 to 100 bits, and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    (0..2000).map(move |_| {
        let bits: Vec<u32> = (0..random.random_range(31..=100)).map(|_| random.random_range(0..=1)).collect();
        let symbols: Vec<_> = bits.iter().map(u32::to_string).collect();
        (symbols.join(" "), format!("{} .", bits.iter().sum::<u32>() % 2))
    })
}

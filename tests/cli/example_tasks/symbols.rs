//! Random prompts of numerals, which the programs also use as positions and counts.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// Prompts of 17 to 60 symbols, of at most 20 different ones.
pub fn prompts(seed: u64) -> impl Iterator<Item = Vec<String>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..500).map(move |_| {
        let different = random.random_range(1..=20);
        (0..random.random_range(17..=60)).map(|_| random.random_range(0..different).to_string()).collect()
    })
}

/// The number of occurrences of a symbol.
pub fn count(symbols: &[String], symbol: &str) -> usize {
    symbols.iter().filter(|other| *other == symbol).count()
}

/// The different symbols in the order of their first occurrences.
pub fn different(symbols: &[String]) -> Vec<String> {
    let first = |(index, symbol): &(usize, &String)| !symbols[..*index].contains(symbol);
    symbols.iter().enumerate().filter(first).map(|(_, symbol)| symbol.clone()).collect()
}

/// A prompt and its continuation as text.
pub fn line(prompt: &[String], continuation: &[String]) -> (String, String) {
    (prompt.join(" "), [continuation, &[".".to_owned()]].concat().join(" "))
}

//! Random prompts of numerals, which the programs also use as positions and counts.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// The number of short prompts of a task.
pub const ROWS: usize = 1000;

/// Prompts of 17 to 60 symbols, of at most 20 different ones.
pub fn prompts(seed: u64) -> impl Iterator<Item = Vec<String>> {
    random_prompts(seed, 17..=60, 20).take(500)
}

/// Prompts of 1 to 12 symbols, of at most 6 different ones.
pub fn short_prompts(seed: u64) -> impl Iterator<Item = Vec<String>> {
    random_prompts(seed, 1..=12, 6).take(ROWS)
}

fn random_prompts(
    seed: u64,
    lengths: RangeInclusive<usize>,
    most_different: usize,
) -> impl Iterator<Item = Vec<String>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let different = random.random_range(1..=most_different);
        (0..random.random_range(lengths.clone())).map(|_| random.random_range(0..different).to_string()).collect()
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

/// A prompt and its row as text: the values, then null.
pub fn row(prompt: &[String], values: &[String]) -> (String, String) {
    let nulls = vec!["∅".to_owned(); prompt.len() - values.len()];
    (prompt.join(" "), [values, &nulls].concat().join(" "))
}

//! Symbols in the order of an alphabet.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::symbols::{ROWS, line, row};

/// Prompts with 8 to 30 letters and 15 to 60 symbols to sort, and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    sorted(8..=30, 15..=60).take(2000).map(|(prompt, sorted)| line(&prompt, &sorted))
}

/// Prompts with 1 to 6 letters and up to 8 symbols to sort, and their rows.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    sorted(1..=6, 0..=8).take(ROWS).map(|(prompt, sorted)| row(&prompt, &sorted))
}

/// Prompts, and their sorted symbols.
fn sorted(
    letters: RangeInclusive<usize>,
    symbols: RangeInclusive<usize>,
) -> impl Iterator<Item = (Vec<String>, Vec<String>)> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    std::iter::repeat_with(move || {
        let mut alphabet: Vec<_> =
            (0..random.random_range(letters.clone())).map(|letter: usize| letter.to_string()).collect();
        alphabet.shuffle(&mut random);
        let mut places: Vec<_> =
            (0..random.random_range(symbols.clone())).map(|_| random.random_range(0..alphabet.len())).collect();
        let letters = |places: &[usize]| places.iter().map(|place| alphabet[*place].clone()).collect::<Vec<_>>();
        let prompt = [&*alphabet, &["|".to_owned()], &letters(&places)].concat();
        places.sort_unstable();
        (prompt, letters(&places))
    })
}

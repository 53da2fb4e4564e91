//! Symbols in the order of an alphabet.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::symbols::line;

/// Prompts with 8 to 30 letters and 15 to 60 symbols to sort, and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    (0..2000).map(move |_| {
        let mut alphabet: Vec<_> = (0..random.random_range(8..=30)).map(|letter: usize| letter.to_string()).collect();
        alphabet.shuffle(&mut random);
        let mut places: Vec<_> =
            (0..random.random_range(15..=60)).map(|_| random.random_range(0..alphabet.len())).collect();
        let letters = |places: &[usize]| places.iter().map(|place| alphabet[*place].clone()).collect::<Vec<_>>();
        let prompt = [&*alphabet, &["|".to_owned()], &letters(&places)].concat();
        places.sort_unstable();
        line(&prompt, &letters(&places))
    })
}

//! Whether the brackets of each prefix match.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

use super::symbols::ROWS;

/// Prompts of 25 to 60 brackets of some kinds, each opening and closing, and their continuations.
pub fn lines(kinds: &'static [[&str; 2]]) -> impl Iterator<Item = (String, String)> {
    // Few of the brackets are wrong, so that all verdicts occur late in a prompt, too.
    prompts(kinds, 25..=60, 0.01).take(2000).map(|(prompt, verdicts)| (prompt, verdicts + " ."))
}

/// Prompts of 1 to 12 brackets, and their rows.
pub fn rows(kinds: &'static [[&str; 2]]) -> impl Iterator<Item = (String, String)> {
    prompts(kinds, 1..=12, 0.1).take(ROWS)
}

/// Random brackets, of which some are wrong, and their verdicts.
fn prompts(
    kinds: &'static [[&str; 2]],
    lengths: RangeInclusive<usize>,
    wrong: f64,
) -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    std::iter::repeat_with(move || {
        let length = random.random_range(lengths.clone());
        let brackets = brackets(kinds, length, wrong, &mut random);
        (brackets.join(" "), verdicts(kinds, &brackets).join(" "))
    })
}

fn brackets(kinds: &[[&'static str; 2]], length: usize, wrong: f64, random: &mut ChaCha8Rng) -> Vec<&'static str> {
    let mut open = Vec::new();
    (0..length)
        .map(|_| {
            let [opening, closing] = *kinds.choose(random).expect("a kind");
            if random.random_bool(wrong) {
                open.pop();
                return closing;
            }
            if open.is_empty() || random.random_bool(0.5) {
                open.push(closing);
                return opening;
            }
            open.pop().expect("an open bracket")
        })
        .collect()
}

/// The verdict for each prefix: `T` if its brackets match, `P` if they still can, `F` if not.
fn verdicts(kinds: &[[&str; 2]], brackets: &[&str]) -> Vec<&'static str> {
    let mut open = Vec::new();
    let mut failed = false;
    let verdict = |bracket: &&str| {
        match kinds.iter().find(|[opening, _]| opening == bracket) {
            Some([_, closing]) => open.push(*closing),
            None => failed |= open.pop() != Some(*bracket),
        }
        match (failed, open.is_empty()) {
            (true, _) => "F",
            (false, true) => "T",
            (false, false) => "P",
        }
    };
    brackets.iter().map(verdict).collect()
}

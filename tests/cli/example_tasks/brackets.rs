//! Whether the brackets of each prefix match.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// Prompts of 25 to 60 brackets of some kinds, each opening and closing, and their continuations.
pub fn lines(kinds: &'static [[&str; 2]]) -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    (0..2000).map(move |_| {
        let brackets = brackets(kinds, &mut random);
        (brackets.join(" "), verdicts(kinds, &brackets).join(" ") + " .")
    })
}

/// Random brackets. Few of them are wrong, so that all verdicts occur late in a prompt, too.
fn brackets(kinds: &[[&'static str; 2]], random: &mut ChaCha8Rng) -> Vec<&'static str> {
    let mut open = Vec::new();
    let length = random.random_range(25..=60);
    (0..length)
        .map(|_| {
            let [opening, closing] = *kinds.choose(random).expect("a kind");
            if random.random_bool(0.01) {
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

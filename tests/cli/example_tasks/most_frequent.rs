//! The different symbols of the prompt, the most frequent first.

use std::cmp::Reverse;

use super::symbols::{count, different, line, prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(4).map(|symbols| {
        let mut kinds = different(&symbols);
        // The sort is stable: symbols with the same count stay in the order of their first occurrences.
        kinds.sort_by_key(|kind| Reverse(count(&symbols, kind)));
        line(&symbols, &kinds)
    })
}

//! The different symbols of the prompt, the most frequent first.

use std::cmp::Reverse;

use super::symbols::{count, different, line, prompts, row, short_prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(4).map(|symbols| line(&symbols, &by_frequency(&symbols)))
}

/// Short prompts and their rows.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    short_prompts(4).map(|symbols| row(&symbols, &by_frequency(&symbols)))
}

fn by_frequency(symbols: &[String]) -> Vec<String> {
    let mut kinds = different(symbols);
    // The sort is stable: symbols with the same count stay in the order of their first occurrences.
    kinds.sort_by_key(|kind| Reverse(count(symbols, kind)));
    kinds
}

//! The number of occurrences of each symbol of the prompt.

use super::symbols::{count, line, prompts, row, short_prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(2).map(|symbols| line(&symbols, &counts(&symbols)))
}

/// Short prompts and their rows.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    short_prompts(2).map(|symbols| row(&symbols, &counts(&symbols)))
}

fn counts(symbols: &[String]) -> Vec<String> {
    symbols.iter().map(|symbol| count(symbols, symbol).to_string()).collect()
}

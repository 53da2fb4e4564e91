//! The symbols of the prompt from last to first.

use super::symbols::{line, prompts, row, short_prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(1).map(|symbols| line(&symbols, &reversed(&symbols)))
}

/// Short prompts and their rows.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    short_prompts(1).map(|symbols| row(&symbols, &reversed(&symbols)))
}

fn reversed(symbols: &[String]) -> Vec<String> {
    symbols.iter().rev().cloned().collect()
}

//! The number of occurrences of each symbol of the prompt.

use super::symbols::{count, line, prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(2).map(|symbols| {
        let counts: Vec<_> = symbols.iter().map(|symbol| count(&symbols, symbol).to_string()).collect();
        line(&symbols, &counts)
    })
}

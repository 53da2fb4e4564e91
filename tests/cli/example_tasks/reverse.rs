//! The symbols of the prompt from last to first.

use super::symbols::{line, prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(1).map(|symbols| {
        let reversed: Vec<_> = symbols.iter().rev().cloned().collect();
        line(&symbols, &reversed)
    })
}

//! For each symbol of the prompt, the number of different symbols that occur as often as it does.

use super::symbols::{count, different, line, prompts, row, short_prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(3).map(|symbols| line(&symbols, &numbers(&symbols)))
}

/// Short prompts and their rows.
pub fn rows() -> impl Iterator<Item = (String, String)> {
    short_prompts(3).map(|symbols| row(&symbols, &numbers(&symbols)))
}

fn numbers(symbols: &[String]) -> Vec<String> {
    let kinds = different(symbols);
    let number = |symbol: &String| {
        let equally_often = |kind: &&String| count(symbols, kind) == count(symbols, symbol);
        kinds.iter().filter(equally_often).count().to_string()
    };
    symbols.iter().map(number).collect()
}

//! For each symbol of the prompt, the number of different symbols that occur as often as it does.

use super::symbols::{count, different, line, prompts};

/// Prompts and their continuations.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    prompts(3).map(|symbols| {
        let kinds = different(&symbols);
        let number = |symbol: &String| {
            let equally_often = |kind: &&String| count(&symbols, kind) == count(&symbols, symbol);
            kinds.iter().filter(equally_often).count().to_string()
        };
        let numbers: Vec<_> = symbols.iter().map(number).collect();
        line(&symbols, &numbers)
    })
}

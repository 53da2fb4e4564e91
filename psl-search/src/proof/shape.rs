//! Prompts that differ only in which symbols are equal.

use psl_program::laws::{Patterns, Slot, count};
use psl_syntax::law::{Law, LawWord};

/// Prompts that differ only in which symbols are equal.
#[derive(Clone)]
pub struct Shape {
    pub(super) pattern: Law,
    /// The numbers of symbols of the variables.
    pub(super) lengths: Vec<usize>,
    /// The met symbols that variables can stand for.
    pub(super) met: Vec<String>,
    /// Different symbols that are not met, one for each place of a variable.
    pub(super) free: Vec<String>,
    /// The last position of the runs.
    pub(super) last_position: usize,
    /// Whether each symbol has its own place. Otherwise, the first ones are used.
    pub(super) in_place: bool,
    /// The maximum number of equalities among the symbols of variables.
    pub(super) equalities: usize,
}

impl Shape {
    /// The number of symbols of variables.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// The number of prompts.
    pub fn count(&self) -> u64 {
        count(self.len(), self.met.len(), self.equalities)
    }

    /// The prompts, those with the most different symbols first.
    pub fn prompts(&self) -> impl Iterator<Item = Vec<&str>> {
        (0..=self.equalities).flat_map(move |equalities| {
            Patterns::new(self.len(), self.met.len(), equalities).map(|pattern| self.prompt(&pattern))
        })
    }

    fn prompt(&self, pattern: &[Slot]) -> Vec<&str> {
        let mut new = self.free.iter();
        let mut symbols: Vec<&str> = Vec::with_capacity(pattern.len());
        for (place, slot) in pattern.iter().enumerate() {
            let symbol = match slot {
                Slot::Met(index) => self.met.get(*index).map(String::as_str),
                Slot::Free(first) if *first == place && self.in_place => self.free.get(place).map(String::as_str),
                Slot::Free(first) if *first == place => new.next().map(String::as_str),
                Slot::Free(first) => symbols.get(*first).copied(),
            };
            symbols.extend(symbol);
        }
        let mut rest = symbols.as_slice();
        let next = |length: &usize| {
            let (own, others) = rest.split_at_checked(*length).unwrap_or_default();
            rest = others;
            own
        };
        let of_variables: Vec<&[&str]> = self.lengths.iter().map(next).collect();
        let mut prompt = Vec::with_capacity(symbols.len() + self.pattern.prompt.len());
        for word in &self.pattern.prompt {
            match word {
                LawWord::Symbol(symbol) => prompt.push(symbol.as_str()),
                LawWord::Null => {}
                LawWord::Variable(index) => prompt.extend(of_variables.get(*index).copied().unwrap_or_default()),
            }
        }
        prompt
    }
}

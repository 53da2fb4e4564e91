//! Prompts like others, with a few changes.

use std::iter;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// The maximum number of changes of a prompt.
const CHANGES: usize = 3;
/// Symbols that programs are unlikely to compare.
const NEW: [&str; 3] = ["a", "b", "new"];
/// Numbers, which may be positions.
const NUMBERS: [&str; 4] = ["0", "1", "2", "3"];

/// Prompts that differ from some others in symbols, or in parts that are left out, repeated, moved or taken from
/// another one. They never end, and are the same each time.
pub struct Variations<'p> {
    prompts: &'p [Vec<String>],
    symbols: Vec<String>,
    random: ChaCha8Rng,
}

impl<'p> Variations<'p> {
    /// Those of some prompts, with their symbols and more.
    pub fn new(prompts: &'p [Vec<String>], more: &[String]) -> Self {
        let of_prompts = prompts.iter().flatten().chain(more).cloned();
        let symbols = of_prompts.chain(NEW.into_iter().chain(NUMBERS).map(str::to_owned)).collect();
        Self { prompts, symbols, random: ChaCha8Rng::seed_from_u64(0) }
    }

    fn symbol(&mut self) -> Option<String> {
        self.symbols.choose(&mut self.random).cloned()
    }

    /// A part of a prompt: one to four symbols, or up to its end.
    fn part(&mut self, length: usize) -> (usize, usize) {
        let start = self.random.random_range(0..=length);
        let longest = if self.random.random_ratio(1, 4) { length } else { 4 };
        (start, (start + self.random.random_range(1..=longest.max(1))).min(length))
    }

    fn change(&mut self, prompt: &mut Vec<String>) {
        let (start, end) = self.part(prompt.len());
        let (place, _) = self.part(prompt.len());
        match self.random.random_range(0..7) {
            0 => drop(prompt.drain(start..end)),
            1 => {
                let part = prompt.get(start..end).unwrap_or_default().to_vec();
                drop(prompt.splice(place..place, part));
            }
            2 => {
                let part: Vec<String> = prompt.drain(start..end).collect();
                let place = place.min(prompt.len());
                drop(prompt.splice(place..place, part));
            }
            3 => {
                let other = self.prompts.choose(&mut self.random).cloned().unwrap_or_default();
                let (first, last) = self.part(other.len());
                drop(prompt.splice(start..end, other.get(first..last).unwrap_or_default().iter().cloned()));
            }
            4 => drop(prompt.splice(place..place, self.symbol())),
            _ => {
                let symbol = self.symbol();
                prompt.get_mut(start).into_iter().zip(symbol).for_each(|(slot, symbol)| *slot = symbol);
            }
        }
    }
}

impl Iterator for Variations<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Self::Item> {
        iter::repeat_with(|| {
            let mut prompt = self.prompts.choose(&mut self.random).cloned().unwrap_or_default();
            for _ in 0..self.random.random_range(1..=CHANGES) {
                self.change(&mut prompt);
            }
            prompt
        })
        .find(|prompt| !prompt.is_empty())
    }
}

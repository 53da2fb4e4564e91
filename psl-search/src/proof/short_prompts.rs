//! The prompts of a few symbols that stand for all of them.

use psl_program::{
    Runner,
    laws::{Patterns, Slot, count},
};
use psl_runtime::{Options, RunFailure};
use psl_syntax::{
    domains::{MetValues, met_values},
    program::DEFAULT_STOP,
};

/// The default for the maximum length of a continuation.
const MAX_NEW: usize = 64;

/// The number of prompts that decides the default for the maximum number of symbols.
const DEFAULT_PROMPTS: u64 = 200_000;

/// The maximum number of prompts.
const MAX_PROMPTS: u64 = 1_000_000_000;

/// The prompts of a few symbols, up to the names of symbols that a program cannot tell apart. Each symbol is one that
/// the program can meet, one of the prompt's earlier ones, or new.
pub struct ShortPrompts<'r> {
    runner: &'r Runner,
    options: Options,
    met: MetValues,
    /// Whether prompts have the numbers that the program meets.
    numbers: bool,
}

/// The prompts of one length.
pub struct OfLength {
    /// The met symbols.
    met: Vec<String>,
    /// Different symbols that are not met.
    free: Vec<String>,
}

impl<'r> ShortPrompts<'r> {
    /// The prompts of runs with these options, by default with at most 64 new symbols. The program is taken to meet the
    /// symbols of `alphabet`, too. Prompts have the numbers that it meets only with `numbers`.
    pub fn new(runner: &'r Runner, options: &Options, alphabet: &[String], numbers: bool) -> Self {
        let options = Options { max_new: Some(options.max_new.unwrap_or(MAX_NEW)), ..options.clone() };
        let program = &runner.executable().program;
        let mut met = met_values(program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        met.values.extend(alphabet.iter().cloned());
        Self { runner, options, met, numbers }
    }

    /// The options of the runs.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The stop symbol.
    pub fn stop(&self) -> &str {
        self.options.stop.as_deref().unwrap_or(DEFAULT_STOP)
    }

    /// The last of the numbers from 0 that no prompt has, if the program meets numbers and they are left out.
    ///
    /// # Errors
    ///
    /// Fails if a prompt of this many symbols has too many cells.
    pub fn without_numbers(&self, up_to: usize) -> Result<Option<usize>, RunFailure> {
        if self.met.positions && !self.numbers { self.last_position(up_to).map(Some) } else { Ok(None) }
    }

    /// The number of prompts of at most this many symbols.
    fn count(&self, up_to: usize) -> Result<u64, RunFailure> {
        (1..=up_to).try_fold(0, |sum: u64, length| Ok(sum.saturating_add(self.symbols(length)?.count())))
    }

    /// The maximum number of symbols: the given one, or the greatest one with at most 200,000 prompts.
    ///
    /// # Errors
    ///
    /// Fails for more than 1,000,000,000 prompts, and if a prompt has too many cells.
    pub fn up_to(&self, given: Option<usize>) -> Result<usize, RunFailure> {
        let mut up_to = given.unwrap_or(1);
        while given.is_none() && self.count(up_to + 1)? <= DEFAULT_PROMPTS {
            up_to += 1;
        }
        let count = self.count(up_to)?;
        if count > MAX_PROMPTS {
            let least = if count == u64::MAX { "at least " } else { "" };
            return Err(RunFailure::refused(format!(
                "a proof runs at most {MAX_PROMPTS} prompts, and {least}{count} have at most {up_to} symbols: \
                 choose fewer symbols"
            )));
        }
        Ok(up_to)
    }

    /// The prompts of this many symbols.
    ///
    /// # Errors
    ///
    /// Fails if they have too many cells.
    pub fn symbols(&self, length: usize) -> Result<OfLength, RunFailure> {
        let last_position = self.last_position(length)?;
        let mut met: Vec<String> = self.met.symbols(last_position).map(str::to_owned).collect();
        if self.met.positions && self.numbers {
            met.extend((0..=last_position).map(|number| number.to_string()));
        }
        let program = &self.runner.executable().program;
        let is_free = |name: &String| {
            !self.met.has(name, last_position) && !program.mentions(name) && name.as_str() != self.stop()
        };
        let free = names().filter(is_free).take(length).collect();
        Ok(OfLength { met, free })
    }

    /// The last position of a run with a prompt of this many symbols.
    fn last_position(&self, length: usize) -> Result<usize, RunFailure> {
        let task = self.runner.executable().task(&vec!["a"; length], &self.options)?;
        Ok(task.vocabulary.positions().len().saturating_sub(1))
    }
}

impl OfLength {
    /// The number of prompts.
    pub fn count(&self) -> u64 {
        count(self.free.len(), self.met.len(), self.free.len())
    }

    /// The prompts, those with the most different symbols first.
    pub fn prompts(&self) -> impl Iterator<Item = Vec<&str>> {
        let length = self.free.len();
        (0..=length).flat_map(move |equalities| {
            Patterns::new(length, self.met.len(), equalities).map(|pattern| self.prompt(&pattern))
        })
    }

    fn prompt(&self, pattern: &[Slot]) -> Vec<&str> {
        let mut new = self.free.iter();
        let mut prompt: Vec<&str> = Vec::with_capacity(pattern.len());
        for (place, slot) in pattern.iter().enumerate() {
            let symbol = match slot {
                Slot::Met(index) => self.met.get(*index),
                Slot::Free(first) if *first == place => new.next(),
                Slot::Free(_) => None,
            };
            let earlier = || match slot {
                Slot::Free(first) => prompt.get(*first).copied(),
                Slot::Met(_) => None,
            };
            prompt.extend(symbol.map(String::as_str).or_else(earlier));
        }
        prompt
    }
}

/// `a` to `z`, then `a1` to `z1`, and so on.
fn names() -> impl Iterator<Item = String> {
    let of_round = |round: usize| {
        ('a'..='z').map(move |letter| if round == 0 { letter.to_string() } else { format!("{letter}{round}") })
    };
    (0..).flat_map(of_round)
}

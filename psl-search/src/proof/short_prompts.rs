//! The prompts that stand for many.

use psl_program::{
    Runner,
    laws::{Patterns, Slot, count},
};
use psl_runtime::{Options, RunFailure};
use psl_syntax::{
    Program,
    domains::{MetValues, met_values},
    law::{Law, LawWord, Variable},
    program::DEFAULT_STOP,
};

/// The default for the maximum length of a continuation.
const MAX_NEW: usize = 64;

/// The number of prompts that decides the default for the maximum number of symbols.
const DEFAULT_PROMPTS: u64 = 200_000;

/// The maximum number of prompts.
const MAX_PROMPTS: u64 = 1_000_000_000;

/// The prompts that a claim is about.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The maximum number of symbols. By default, as many as 200,000 prompts suffice for.
    pub up_to: Option<usize>,
    /// Patterns of the prompts, in place of a maximum number of symbols: see [`Law::pattern`].
    pub like: Vec<Law>,
    /// Symbols that the program is taken to compare.
    pub alphabet: Vec<String>,
    /// Whether prompts have the numbers that the program compares with symbols.
    pub numbers: bool,
}

/// The prompts that a claim is about, up to the names of symbols that a program cannot tell apart. Each symbol is one
/// that the program can meet, one of the prompt's earlier ones, or new.
pub struct ShortPrompts {
    options: Options,
    shapes: Vec<Shape>,
    /// The last of the numbers from 0 that the prompts do not have, if the program meets numbers.
    pub without_numbers: Option<usize>,
}

/// Prompts that differ only in which symbols are equal.
#[derive(Clone)]
pub struct Shape {
    pattern: Law,
    /// The numbers of symbols of the variables.
    lengths: Vec<usize>,
    /// The met symbols, unless all symbols of variables are different and free.
    met: Vec<String>,
    /// Different symbols that are not met.
    free: Vec<String>,
}

impl ShortPrompts {
    /// The prompts of runs with these options, by default with at most 64 new symbols.
    ///
    /// # Errors
    ///
    /// Fails for a symbol with blanks, for more than 1,000,000,000 prompts, and if a prompt has too many cells.
    pub fn new(runner: &Runner, options: &Options, wanted: &Wanted) -> Result<Self, RunFailure> {
        if let Some(wrong) = wanted.alphabet.iter().find(|it| it.is_empty() || it.contains(char::is_whitespace)) {
            return Err(RunFailure::refused(format!("`{wrong}` is not a symbol: symbols have no blanks")));
        }
        let options = Options { max_new: Some(options.max_new.unwrap_or(MAX_NEW)), ..options.clone() };
        let program = &runner.executable().program;
        let mut met = met_values(program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        let literals = wanted.like.iter().flat_map(Law::literals).map(str::to_owned);
        met.values.extend(wanted.alphabet.iter().cloned().chain(literals));
        let shaping = Shaping { runner, program, options: &options, met: &met, numbers: wanted.numbers };
        let shapes = match wanted.like.as_slice() {
            [] => shaping.up_to(wanted.up_to)?,
            like => shaping.like(like)?,
        };
        let longest = shapes.iter().map(Shape::len).max().unwrap_or(1);
        let without_numbers = (met.positions && !wanted.numbers).then(|| shaping.last_position(longest)).transpose()?;
        Ok(Self { options, shapes, without_numbers })
    }

    /// The options of the runs.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The stop symbol.
    pub fn stop(&self) -> &str {
        self.options.stop.as_deref().unwrap_or(DEFAULT_STOP)
    }

    /// The shapes of the prompts, the shortest first. Without patterns, the prompts of each length are one shape.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }
}

struct Shaping<'a> {
    runner: &'a Runner,
    program: &'a Program,
    options: &'a Options,
    met: &'a MetValues,
    numbers: bool,
}

impl Shaping<'_> {
    /// The shapes of all prompts of at most this many symbols.
    fn up_to(&self, given: Option<usize>) -> Result<Vec<Shape>, RunFailure> {
        let (mut shapes, mut all) = (Vec::new(), 0_u64);
        for length in 1..=given.unwrap_or(usize::MAX) {
            let variable = Variable { name: String::new(), longest: length };
            let prompt = vec![LawWord::Variable(0)];
            let pattern = Law { any: true, variables: vec![variable], prompt, gold: Vec::new() };
            let shape = self.shape(&pattern, vec![length])?;
            all = all.saturating_add(shape.count());
            if given.is_none() && all > DEFAULT_PROMPTS && length > 1 || all == u64::MAX {
                break;
            }
            shapes.push(shape);
        }
        if let Some(given) = given {
            few(all, &format!("have at most {given} symbols"))?;
        }
        Ok(shapes)
    }

    /// The shapes of patterns.
    fn like(&self, patterns: &[Law]) -> Result<Vec<Shape>, RunFailure> {
        let of = |pattern: &Law| {
            let shapes = pattern.lengths().into_iter().map(|lengths| self.shape(pattern, lengths));
            shapes.collect::<Result<Vec<_>, _>>()
        };
        let mut shapes = patterns.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat();
        shapes.sort_by_key(Shape::len);
        few(shapes.iter().fold(0, |all: u64, shape| all.saturating_add(shape.count())), "are like this")?;
        Ok(shapes)
    }

    fn shape(&self, pattern: &Law, lengths: Vec<usize>) -> Result<Shape, RunFailure> {
        let places: usize = lengths.iter().sum();
        let words = pattern.prompt.iter().map(|word| match word {
            LawWord::Variable(index) => lengths.get(*index).copied().unwrap_or(1),
            LawWord::Symbol(_) | LawWord::Null => 1,
        });
        let last_position = self.last_position(words.sum())?;
        let is_free = |name: &String| {
            let is_stop = self.options.stop.as_deref().unwrap_or(DEFAULT_STOP) == name;
            !self.met.has(name, last_position) && !self.program.mentions(name) && !is_stop
        };
        let free = names().filter(is_free).take(places).collect();
        let mut met: Vec<String> = Vec::new();
        if pattern.any {
            met.extend(self.met.symbols(last_position).map(str::to_owned));
            if self.met.positions && self.numbers {
                met.extend((0..=last_position).map(|number| number.to_string()));
            }
        }
        Ok(Shape { pattern: pattern.clone(), lengths, met, free })
    }

    /// The last position of a run with a prompt of this many symbols.
    fn last_position(&self, length: usize) -> Result<usize, RunFailure> {
        let task = self.runner.executable().task(&vec!["a"; length], self.options)?;
        Ok(task.vocabulary.positions().len().saturating_sub(1))
    }
}

/// Refuses a number of prompts that takes too long. `which` completes a sentence about them.
fn few(count: u64, which: &str) -> Result<(), RunFailure> {
    if count <= MAX_PROMPTS {
        return Ok(());
    }
    let least = if count == u64::MAX { "at least " } else { "" };
    Err(RunFailure::refused(format!(
        "a proof runs at most {MAX_PROMPTS} prompts, and {least}{count} {which}: choose fewer symbols"
    )))
}

impl Shape {
    /// The number of symbols of variables.
    fn len(&self) -> usize {
        self.free.len()
    }

    /// The maximum number of equalities among the symbols.
    fn equalities(&self) -> usize {
        if self.pattern.any { self.len() } else { 0 }
    }

    /// The number of prompts.
    pub fn count(&self) -> u64 {
        count(self.len(), self.met.len(), self.equalities())
    }

    /// The prompts, those with the most different symbols first.
    pub fn prompts(&self) -> impl Iterator<Item = Vec<&str>> {
        (0..=self.equalities()).flat_map(move |equalities| {
            Patterns::new(self.len(), self.met.len(), equalities).map(|pattern| self.prompt(&pattern))
        })
    }

    fn prompt(&self, pattern: &[Slot]) -> Vec<&str> {
        let mut new = self.free.iter();
        let mut symbols: Vec<&str> = Vec::with_capacity(pattern.len());
        for (place, slot) in pattern.iter().enumerate() {
            let symbol = match slot {
                Slot::Met(index) => self.met.get(*index).map(String::as_str),
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

/// `a` to `z`, then `a1` to `z1`, and so on.
fn names() -> impl Iterator<Item = String> {
    let of_round = |round: usize| {
        ('a'..='z').map(move |letter| if round == 0 { letter.to_string() } else { format!("{letter}{round}") })
    };
    (0..).flat_map(of_round)
}

//! The prompts that stand for many.

use std::collections::BTreeMap;

use psl_program::count;
use psl_runtime::{Executable, MachineKind, Options, RunFailure};
use psl_syntax::{
    domains::{MetValues, met_values},
    law::{Law, LawWord, Variable},
    program::{DEFAULT_STOP, TestCase, TestPrompt},
};

use super::shape::Shape;

/// The default for the maximum length of a continuation.
const MAX_NEW: usize = 64;

/// The maximum number of prompts.
const MAX_PROMPTS: u64 = 1_000_000_000;

/// The maximum number of equalities among the symbols of a test's prompt, unless all prompts are few.
const EQUALITIES: usize = 2;

/// The prompts that a statement is about.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The maximum number of symbols. By default, as many as `few` prompts suffice for.
    pub up_to: Option<usize>,
    /// Patterns of the prompts, in place of a maximum number of symbols: see [`Law::pattern`].
    pub like: Vec<Law>,
    /// Symbols that the programs are taken to compare.
    pub alphabet: Vec<String>,
    /// Whether prompts have the numbers that the programs compare with symbols.
    pub numbers: bool,
    /// Tests whose prompts are tried, too, with other symbols: for each one, the symbols of its prompt. A law has
    /// several prompts.
    pub tests: Vec<Vec<Vec<String>>>,
    /// The number of prompts that decides `up_to` by default.
    pub few: u64,
    /// The number of prompts of a test with any symbols. If more are possible, few symbols are equal.
    pub few_per_test: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        let (like, alphabet, tests) = Default::default();
        Self { up_to: None, like, alphabet, numbers: false, tests, few: 200_000, few_per_test: 200_000 }
    }
}

/// The prompts that a statement is about, up to the names of symbols that no program can tell apart. Each symbol is one
/// that a program can meet, one of the prompt's earlier ones, or new.
pub struct ShortPrompts {
    options: Options,
    shapes: Vec<Shape>,
    /// Whether a program meets numbers and the prompts do not have them.
    lacks_numbers: bool,
    /// For each of the last shapes, the index of the test that it belongs to.
    tests: Vec<usize>,
}

impl ShortPrompts {
    /// The prompts of runs of these programs with these options, by default with at most 64 new symbols.
    ///
    /// # Errors
    ///
    /// Fails for loaded weights and programs without a form in PSL, for a symbol with blanks, for more than
    /// 1,000,000,000 prompts, and if a prompt has too many cells.
    pub fn new(programs: &[&Executable], options: &Options, wanted: &Wanted) -> Result<Self, RunFailure> {
        if let Some(wrong) = wanted.alphabet.iter().find(|it| it.is_empty() || it.contains(char::is_whitespace)) {
            return Err(RunFailure::refused(format!("`{wrong}` is not a symbol: symbols have no blanks")));
        }
        for program in programs {
            if let Some(reason) = program.why_not_on(MachineKind::Psm) {
                return Err(RunFailure::refused(format!("a proof needs a program with a form in PSL: {reason}")));
            }
            if program.last_position().is_some() {
                return Err(RunFailure::refused(
                    "weights have only the symbols of their vocabulary, and a proof is about all: decompile them with \
                     `psl compile --emit psl`",
                ));
            }
        }
        let options = Options { max_new: Some(options.max_new.unwrap_or(MAX_NEW)), ..options.clone() };
        let mut met = MetValues::default();
        for program in programs {
            let of_one = met_values(&program.program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
            met.values.extend(of_one.values);
            met.positions |= of_one.positions;
        }
        let literals = wanted.like.iter().flat_map(Law::literals).map(str::to_owned);
        met.values.extend(wanted.alphabet.iter().cloned().chain(literals));
        let shaping = Shaping { programs, options: &options, met: &met, wanted };
        let mut shapes = match wanted.like.as_slice() {
            [] => shaping.up_to()?,
            like => shaping.like(like)?,
        };
        let mut tests = Vec::new();
        for (test, prompts) in wanted.tests.iter().enumerate() {
            for prompt in prompts.iter().filter(|prompt| !prompt.is_empty()) {
                shapes.push(shaping.renamed(prompt, prompts.len())?);
                tests.push(test);
            }
        }
        let lacks_numbers = met.positions && !wanted.numbers;
        Ok(Self { options, shapes, lacks_numbers, tests })
    }

    /// The options of the runs.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The stop symbol.
    pub fn stop(&self) -> &str {
        self.options.stop.as_deref().unwrap_or(DEFAULT_STOP)
    }

    /// The shapes of the prompts: of the short ones or of patterns, the shortest first, then of tests. Without
    /// patterns, the short prompts of each length are one shape.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The prompts of all shapes.
    pub fn prompts(&self) -> impl Iterator<Item = Vec<&str>> {
        self.shapes.iter().flat_map(Shape::prompts)
    }

    /// The number of shapes that are not of tests.
    pub fn short(&self) -> usize {
        self.shapes.len() - self.tests.len()
    }

    /// The short prompts in words, if only the first `proved` shapes count: `all prompts of at most 9 symbols`. Only
    /// for prompts without patterns.
    pub fn short_in_words(&self, proved: usize) -> String {
        let symbols = if proved == 1 { "one symbol".to_owned() } else { format!("at most {proved} symbols") };
        format!("all prompts of {symbols}{}", self.numbers_in_words(proved))
    }

    /// All prompts in words, after a verb such as "agree": `on all prompts of at most 5 symbols, and on the prompts of
    /// 9 tests with other symbols and up to one more equality`. Only for prompts without patterns.
    pub fn in_words(&self) -> String {
        let tests =
            self.tests_in_words(self.shapes.len()).map_or_else(String::new, |tests| format!(", and on {tests}"));
        format!("on {}{tests}", self.short_in_words(self.short()))
    }

    /// The last of the numbers from 0 that the short prompts do not have. `None` if they may have any.
    pub fn without_numbers(&self) -> Option<usize> {
        self.last_number(self.shapes.get(..self.short())?)
    }

    /// The numbers that the prompts of the first `proved` shapes do not have: ` without the numbers 0 to 4`. Empty if
    /// they may have any.
    pub fn numbers_in_words(&self, proved: usize) -> String {
        without(self.last_number(self.shapes.get(..proved).unwrap_or_default()))
    }

    fn last_number(&self, shapes: &[Shape]) -> Option<usize> {
        shapes.iter().map(|shape| shape.last_position).max().filter(|_| self.lacks_numbers)
    }

    /// The prompts of tests in words, if only the first `proved` shapes count: `the prompts of 9 tests with other
    /// symbols and up to one more equality`. `None` if there are none.
    pub fn tests_in_words(&self, proved: usize) -> Option<String> {
        let shapes = self.shapes.get(self.short()..proved)?;
        // For each test that counts, the maximum number of equalities. `None` if all symbols can be equal.
        let mut levels: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        for (shape, test) in shapes.iter().zip(&self.tests) {
            let level = Some(shape.equalities).filter(|equalities| *equalities < shape.len());
            let known = levels.entry(*test).or_insert(level);
            *known = known.map_or(level, |known| Some(level.unwrap_or(known).min(known)));
        }
        // A law with a prompt that was not tried does not count.
        if let Some(test) = self.tests.get(shapes.len()) {
            levels.remove(test);
        }
        let mut counts: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for level in levels.values() {
            *counts.entry(*level).or_default() += 1;
        }
        let more = |level: &Option<usize>| match level {
            None => "any".to_owned(),
            Some(0) => "different ones".to_owned(),
            Some(1) => "up to one more equality".to_owned(),
            Some(more) => format!("up to {more} more equalities"),
        };
        let of = format!("the prompts of {} with", count(levels.len(), "test"));
        let numbers = without(self.last_number(shapes));
        let words = match counts.keys().next().filter(|_| counts.len() == 1) {
            Some(None) => format!("{of} any other symbols"),
            Some(Some(0)) => format!("{of} other, different symbols"),
            Some(level) => format!("{of} other symbols and {}", more(level)),
            None if counts.is_empty() => return None,
            None => {
                let parts = counts.iter().map(|(level, count)| format!("{count} with {}", more(level)));
                format!("{of} other symbols: {}", parts.collect::<Vec<_>>().join(", "))
            }
        };
        Some(words + &numbers)
    }
}

/// The last number from 0 that prompts do not have, in words.
fn without(last: Option<usize>) -> String {
    last.map_or_else(String::new, |last| format!(" without the numbers 0 to {last}"))
}

/// The symbols of the prompt of a test, or of each prompt of a law. A structured prompt has none.
pub fn prompts_of(test: &TestCase) -> Vec<Vec<String>> {
    match (&test.law, &test.prompt) {
        (Some(law), _) => {
            let of = |lengths: &Vec<usize>| {
                let names = law.names(lengths, |_| true);
                law.prompt_of(&names).into_iter().map(str::to_owned).collect()
            };
            law.lengths().iter().map(of).collect()
        }
        (None, TestPrompt::Plain(symbols)) => vec![symbols.split_whitespace().map(str::to_owned).collect()],
        (None, TestPrompt::Json(_)) => Vec::new(),
    }
}

struct Shaping<'a> {
    programs: &'a [&'a Executable],
    options: &'a Options,
    met: &'a MetValues,
    wanted: &'a Wanted,
}

impl Shaping<'_> {
    /// The shapes of all prompts of at most this many symbols.
    fn up_to(&self) -> Result<Vec<Shape>, RunFailure> {
        let (mut shapes, mut all) = (Vec::new(), 0_u64);
        let given = self.wanted.up_to;
        for length in 1..=given.unwrap_or(usize::MAX) {
            let variable = Variable { name: String::new(), longest: length };
            let prompt = vec![LawWord::Variable(0)];
            let pattern = Law { any: true, row: false, variables: vec![variable], prompt, gold: Vec::new() };
            let shape = self.shape(pattern, vec![length], usize::MAX)?;
            all = all.saturating_add(shape.count());
            if given.is_none() && all > self.wanted.few && length > 1 || all == u64::MAX {
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
            let equalities = if pattern.any { usize::MAX } else { 0 };
            let shapes = pattern.lengths().into_iter().map(|it| self.shape(pattern.clone(), it, equalities));
            shapes.collect::<Result<Vec<_>, _>>()
        };
        let mut shapes = patterns.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat();
        shapes.sort_by_key(Shape::len);
        few(shapes.iter().fold(0, |all: u64, shape| all.saturating_add(shape.count())), "are like this")?;
        Ok(shapes)
    }

    /// The prompt of a test, which has `prompts`, with other symbols.
    fn renamed<'p>(&self, prompt: &'p [String], prompts: usize) -> Result<Shape, RunFailure> {
        let last = self.last_position(prompt.len())?;
        let mut free: Vec<&'p String> = Vec::new();
        let word = |symbol: &'p String| {
            if self.met.has(symbol, last) {
                return LawWord::Symbol(symbol.clone());
            }
            let known = free.iter().position(|known| *known == symbol);
            LawWord::Variable(known.unwrap_or_else(|| {
                free.push(symbol);
                free.len() - 1
            }))
        };
        let words = prompt.iter().map(word).collect();
        let variables = free.iter().map(|_| Variable { name: String::new(), longest: 1 }).collect();
        let pattern = Law { any: true, row: false, variables, prompt: words, gold: Vec::new() };
        let shape = self.shape(pattern, vec![1; free.len()], usize::MAX)?;
        let mut shape = Shape { free: free.into_iter().cloned().collect(), in_place: true, ..shape };
        let few = self.wanted.few_per_test / prompts as u64;
        if shape.count() > few {
            let levels = (0..=EQUALITIES).rev().map(|equalities| Shape { equalities, ..shape.clone() });
            shape = levels.into_iter().find(|it| it.equalities == 0 || it.count() <= few).unwrap_or(shape);
        }
        Ok(shape)
    }

    fn shape(&self, pattern: Law, lengths: Vec<usize>, equalities: usize) -> Result<Shape, RunFailure> {
        let places: usize = lengths.iter().sum();
        let words = pattern.prompt.iter().map(|word| match word {
            LawWord::Variable(index) => lengths.get(*index).copied().unwrap_or(1),
            LawWord::Symbol(_) | LawWord::Null => 1,
        });
        let last_position = self.last_position(words.sum())?;
        let is_free = |name: &String| {
            let is_stop = self.options.stop.as_deref().unwrap_or(DEFAULT_STOP) == name;
            let is_mentioned = self.programs.iter().any(|program| program.program.mentions(name));
            !self.met.has(name, last_position) && !is_mentioned && !is_stop
        };
        let free = names().filter(is_free).take(places).collect();
        let mut met: Vec<String> = Vec::new();
        if equalities > 0 {
            met.extend(self.met.symbols(last_position).map(str::to_owned));
            if self.met.positions && self.wanted.numbers {
                met.extend((0..=last_position).map(|number| number.to_string()));
            }
        }
        Ok(Shape { pattern, lengths, met, free, last_position, in_place: false, equalities: equalities.min(places) })
    }

    /// The last position of a run with a prompt of this many symbols.
    fn last_position(&self, length: usize) -> Result<usize, RunFailure> {
        let last = |program: &&Executable| -> Result<usize, RunFailure> {
            let task = program.task(&vec!["a"; length], self.options)?;
            Ok(task.vocabulary.positions().len().saturating_sub(1))
        };
        self.programs.iter().map(last).try_fold(0, |most, last| Ok(most.max(last?)))
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

/// `a` to `z`, then `a1` to `z1`, and so on.
fn names() -> impl Iterator<Item = String> {
    let of_round = |round: usize| {
        ('a'..='z').map(move |letter| if round == 0 { letter.to_string() } else { format!("{letter}{round}") })
    };
    (0..).flat_map(of_round)
}

//! Prompts on which programs differ.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    mem,
};

use psl_program::Runner;
use psl_runtime::{Executable, Options, Task};
use psl_syntax::program::TestPrompt;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

use crate::{example::Example, workers::Workers};

/// A prompt on which programs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinguishingPrompt {
    /// The symbols, separated by spaces.
    pub prompt: String,
    /// The continuations, with the indices of the programs that generate them. A run that fails has none. The first is
    /// that of the first program.
    pub continuations: Vec<(Option<String>, Vec<usize>)>,
}

/// The most programs that are worth comparing.
pub const COMPARED: usize = 50;
/// The most prompts that are tried.
const PROMPTS: usize = 2_000;
/// The most runs of all programs on these prompts.
const RUNS: usize = 32_000;
/// The work of one run, in comparisons.
const MAX_WORK: u64 = 200_000;

/// The differences of programs on variants of the examples' prompts.
pub struct Behaviors {
    /// For each program, the index of the first one that generates the same on all of these prompts.
    same_as: Vec<usize>,
    /// The prompt on which as many as possible differ. The indices are those of the programs that differ from all
    /// before them, counted without the others.
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
}

impl Behaviors {
    /// Compares programs. If the search is stopped before the end, none is taken to be the same as another.
    pub fn new(runner: &Runner, programs: &[Executable], examples: &[Example], workers: &dyn Workers) -> Self {
        let options = runner.options(&Options::default());
        let stop = options.stop.clone().unwrap_or_else(|| ".".to_owned());
        let mut variants = Variants::new(runner, examples);
        let mut same_as = vec![0; programs.len()];
        let mut best: Option<DistinguishingPrompt> = None;
        let (mut tried, most) = (0, PROMPTS.min(RUNS / programs.len().max(1)));
        // Whether some differ on a prompt without further constants.
        let mut differs = false;
        for number in 0..most {
            if workers.stopped() || programs.len() < 2 {
                break;
            }
            let with_constants = number >= most / 4 * 3;
            differs |= !with_constants && best.is_some();
            let Some(prompt) = variants.next(with_constants) else { break };
            let Ok(mut task) = runner.task_with(&prompt, &options) else { continue };
            task.limits.max_work = task.limits.max_work.min(MAX_WORK);
            let found = DistinguishingPrompt { continuations: continuations(programs, &task), prompt };
            tried += 1;
            split(&mut same_as, &found);
            let is_better = match &best {
                // Constants look odd in prompts, unless the program expects them.
                _ if with_constants && differs => false,
                None => found.continuations.len() > 1,
                Some(best) => rank(&found, &stop) > rank(best, &stop),
            };
            if is_better {
                best = Some(found);
            }
        }
        if workers.stopped() || tried == 0 {
            same_as = (0..programs.len()).collect();
        }
        let first: Vec<usize> = (0..programs.len()).filter(|index| same_as.get(*index) == Some(index)).collect();
        for (_, programs) in best.iter_mut().flat_map(|best| &mut best.continuations) {
            *programs = programs.iter().filter_map(|program| first.binary_search(program).ok()).collect();
        }
        Self { same_as, distinguishing_prompt: best }
    }

    /// Adds each result of a program that does the same as one before it to that one. The results of programs that were
    /// not compared follow.
    pub fn join<T>(&self, results: Vec<T>, add: impl Fn(&mut T, T)) -> Vec<T> {
        let mut joined: Vec<(usize, T)> = Vec::new();
        for (index, result) in results.into_iter().enumerate() {
            let first = self.same_as.get(index).copied().unwrap_or(index);
            match joined.iter_mut().find(|(other, _)| *other == first) {
                Some((_, other)) => add(other, result),
                None => joined.push((index, result)),
            }
        }
        joined.into_iter().map(|(_, result)| result).collect()
    }
}

/// Parts programs that were the same before where their continuations differ.
fn split(same_as: &mut [usize], found: &DistinguishingPrompt) {
    let mut first = HashMap::new();
    for (continuation, (_, programs)) in found.continuations.iter().enumerate() {
        for program in programs {
            if let Some(same_as) = same_as.get_mut(*program) {
                *same_as = *first.entry((*same_as, continuation)).or_insert(*program);
            }
        }
    }
}

/// Variants of the examples' prompts.
struct Variants<'e> {
    prompts: Vec<Vec<&'e str>>,
    /// The symbols of the prompts.
    symbols: Vec<&'e str>,
    /// The symbols of the prompts and the constants of the program.
    with_constants: Vec<&'e str>,
    random: ChaCha8Rng,
}

impl<'e> Variants<'e> {
    fn new(runner: &'e Runner, examples: &'e [Example]) -> Self {
        let plain = examples.iter().filter_map(|example| match &example.prompt {
            TestPrompt::Plain(symbols) => Some(symbols.split_whitespace().collect::<Vec<_>>()),
            TestPrompt::Json(_) => None,
        });
        let prompts: Vec<Vec<&str>> = plain.filter(|symbols| !symbols.is_empty()).collect();
        let mut symbols: Vec<&str> = prompts.iter().flatten().copied().collect();
        symbols.sort_unstable();
        symbols.dedup();
        let constants = runner.executable().program.constants.iter().map(|constant| constant.value.as_str());
        let with_constants = symbols.iter().copied().chain(constants).collect();
        Self { prompts, symbols, with_constants, random: ChaCha8Rng::seed_from_u64(0) }
    }

    /// Another prompt. `None` if there are no prompts to vary.
    fn next(&mut self, with_constants: bool) -> Option<String> {
        let symbols = if with_constants { &self.with_constants } else { &self.symbols };
        Some(varied(self.prompts.choose(&mut self.random)?, symbols, &mut self.random).join(" "))
    }
}

/// More continuations are better, then a first one that the stop symbol ends, then no failed run, then less to read.
fn rank(distinguishing_prompt: &DistinguishingPrompt, stop: &str) -> impl Ord + use<> {
    let continuations = || distinguishing_prompt.continuations.iter().map(|(continuation, _)| continuation.as_deref());
    let ends = |continuation: Option<&str>| continuation.is_some_and(|it| it.split(' ').next_back() == Some(stop));
    let length = distinguishing_prompt.prompt.len() + continuations().flatten().map(str::len).sum::<usize>();
    let is_first_ended = continuations().next().is_some_and(ends);
    (distinguishing_prompt.continuations.len(), is_first_ended, continuations().all(|it| it.is_some()), Reverse(length))
}

fn continuations(programs: &[Executable], task: &Task) -> Vec<(Option<String>, Vec<usize>)> {
    let mut found: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
    for (index, program) in programs.iter().enumerate() {
        found.entry(continuation(program, task)).or_default().push(index);
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, programs)| programs.first().copied());
    found
}

fn continuation(program: &Executable, task: &Task) -> Option<String> {
    let mut symbols = Vec::new();
    let accept = |symbol| {
        symbols.push(task.vocabulary.show(symbol));
        true
    };
    program.generate(task, accept)?.ok()?;
    Some(symbols.join(" "))
}

/// A prompt with one to three changes: a symbol replaced, left out or repeated, or two swapped.
fn varied<'s>(prompt: &[&'s str], symbols: &[&'s str], random: &mut ChaCha8Rng) -> Vec<&'s str> {
    let mut varied = prompt.to_vec();
    for _ in 0..random.random_range(1..=3) {
        let (one, other) = (random.random_range(0..varied.len()), random.random_range(0..varied.len()));
        match random.random_range(0..4) {
            0 => {
                if let (Some(slot), Some(symbol)) = (varied.get_mut(one), symbols.choose(random)) {
                    *slot = symbol;
                }
            }
            1 if varied.len() > 1 => {
                varied.remove(one);
            }
            2 => {
                if let Some(&symbol) = varied.get(one) {
                    varied.insert(one, symbol);
                }
            }
            _ => {
                if let Ok([one, other]) = varied.get_disjoint_mut([one, other]) {
                    mem::swap(one, other);
                }
            }
        }
    }
    varied
}

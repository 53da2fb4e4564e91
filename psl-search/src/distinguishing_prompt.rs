//! Prompts on which programs differ.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::atomic::AtomicUsize,
};

use psl_program::Runner;
use psl_runtime::{Executable, Options, Task, ValueId};
use psl_syntax::program::TestPrompt;

use crate::{
    example::Example,
    proof::{ShortPrompts, Wanted},
    workers::{AT_ONCE, Uncounted, Workers, tests},
};

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
pub const COMPARED: usize = 200;
/// The runs of all programs on short prompts, and on prompts of examples.
const RUNS: u64 = 16_000;
/// The short prompts, and those of examples, that many programs run nevertheless.
const PROMPTS: u64 = 320;
/// The work of one run, in comparisons.
const MAX_WORK: u64 = 200_000;

/// The differences of programs on short prompts, and on the examples' prompts with other symbols.
#[derive(Default)]
pub struct Behaviors {
    /// For each program, the index of the first one that generates the same on all of these prompts.
    same_as: Vec<usize>,
    /// A prompt on which the first two that differ do so, and as many others as possible. The indices are those of the
    /// programs that differ from all before them, counted without the others.
    pub distinguishing_prompt: Option<DistinguishingPrompt>,
    /// The prompts on which programs that generate the same were compared, in words.
    pub compared_on: Option<String>,
}

impl Behaviors {
    /// Compares programs. If the search is stopped before the end, or no example has a plain prompt, none is taken to
    /// be the same as another.
    pub fn new(runner: &Runner, programs: &[Executable], examples: &[Example], workers: &dyn Workers) -> Self {
        let apart = || Self { same_as: (0..programs.len()).collect(), ..Self::default() };
        let most = (RUNS / programs.len().max(1) as u64).max(PROMPTS);
        let plain = examples.iter().filter_map(|example| match &example.prompt {
            TestPrompt::Plain(symbols) => Some(vec![symbols.split_whitespace().map(str::to_owned).collect()]),
            TestPrompt::Json(_) => None,
        });
        let plain: Vec<Vec<Vec<String>>> = plain.take(most as usize).collect();
        if programs.len() < 2 || plain.is_empty() {
            return apart();
        }
        let few_per_test = most / plain.len() as u64;
        let wanted = Wanted { tests: plain, few: most, few_per_test, ..Wanted::default() };
        let rows = examples.iter().all(|example| example.row);
        let Ok(options) = runner.expecting(rows, runner.options(&Options::default())) else { return apart() };
        let all: Vec<&Executable> = programs.iter().collect();
        let Ok(prompts) = ShortPrompts::new(&all, &options, &wanted) else { return apart() };
        let differing = |prompt: &Vec<&str>| {
            let mut task = runner.executable().task(prompt, prompts.options()).ok()?;
            task.limits.max_work = task.limits.max_work.min(MAX_WORK);
            let continuations = continuations(programs, &task);
            (continuations.len() > 1).then(|| DistinguishingPrompt { prompt: prompt.join(" "), continuations })
        };
        let (uncounted, tried) = (Uncounted(workers), AtomicUsize::new(0));
        let found = tests(&uncounted, prompts.prompts(), AT_ONCE, &tried, differing);
        let found: Vec<DistinguishingPrompt> = found.flatten().collect();
        if workers.stopped() {
            return apart();
        }
        let mut same_as = vec![0; programs.len()];
        for found in &found {
            split(&mut same_as, found);
        }
        let first: Vec<usize> = (0..programs.len()).filter(|index| same_as.get(*index) == Some(index)).collect();
        let of = |found: &DistinguishingPrompt, program: Option<&usize>| {
            found.continuations.iter().position(|(_, programs)| program.is_some_and(|it| programs.contains(it)))
        };
        let tells = |found: &DistinguishingPrompt| of(found, first.first()) != of(found, first.get(1));
        let mut best = found.into_iter().max_by_key(|found| (tells(found), rank(found, prompts.stop())));
        for (_, programs) in best.iter_mut().flat_map(|best| &mut best.continuations) {
            *programs = programs.iter().filter_map(|program| first.binary_search(program).ok()).collect();
        }
        Self { same_as, distinguishing_prompt: best, compared_on: Some(prompts.in_words()) }
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

/// More continuations are better, then a first one that the stop symbol ends, then no failed run, then less to read.
fn rank(distinguishing_prompt: &DistinguishingPrompt, stop: &str) -> impl Ord + use<> {
    let continuations = || distinguishing_prompt.continuations.iter().map(|(continuation, _)| continuation.as_deref());
    let ends = |continuation: Option<&str>| continuation.is_some_and(|it| it.split(' ').next_back() == Some(stop));
    let length = distinguishing_prompt.prompt.len() + continuations().flatten().map(str::len).sum::<usize>();
    let is_first_ended = continuations().next().is_some_and(ends);
    (distinguishing_prompt.continuations.len(), is_first_ended, continuations().all(|it| it.is_some()), Reverse(length))
}

fn continuations(programs: &[Executable], task: &Task) -> Vec<(Option<String>, Vec<usize>)> {
    let mut found: BTreeMap<Option<Vec<Option<ValueId>>>, Vec<usize>> = BTreeMap::new();
    for (index, program) in programs.iter().enumerate() {
        found.entry(continuation(program, task)).or_default().push(index);
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, programs)| programs.first().copied());
    let text = |symbols: Vec<Option<ValueId>>| {
        symbols.into_iter().map(|symbol| task.vocabulary.show(symbol)).collect::<Vec<_>>().join(" ")
    };
    found.into_iter().map(|(symbols, programs)| (symbols.map(text), programs)).collect()
}

fn continuation(program: &Executable, task: &Task) -> Option<Vec<Option<ValueId>>> {
    let mut symbols = Vec::new();
    let accept = |symbol| {
        symbols.push(symbol);
        true
    };
    program.generate(task, accept)?.ok()?;
    Some(symbols)
}

//! Prompts on which programs differ.

use std::{cmp::Reverse, collections::BTreeMap, mem};

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
pub const COMPARED: usize = 16;
/// The prompts that are tried.
const PROMPTS: usize = 2_000;
/// The work of one run, in comparisons.
const MAX_WORK: u64 = 200_000;

/// Searches among variants of the examples' prompts for one on which as many of the programs differ as possible. `None`
/// if they agree on all that were tried.
pub fn distinguishing_prompt(
    runner: &Runner,
    programs: &[Executable],
    examples: &[Example],
    workers: &dyn Workers,
) -> Option<DistinguishingPrompt> {
    let plain = examples.iter().filter_map(|example| match &example.prompt {
        TestPrompt::Plain(symbols) => Some(symbols.split_whitespace().collect::<Vec<_>>()),
        TestPrompt::Json(_) => None,
    });
    let prompts: Vec<Vec<&str>> = plain.filter(|symbols| !symbols.is_empty()).collect();
    let mut symbols: Vec<&str> = prompts.iter().flatten().copied().collect();
    symbols.sort_unstable();
    symbols.dedup();
    let constants = runner.executable().program.constants.iter().map(|constant| constant.value.as_str());
    let with_constants: Vec<&str> = symbols.iter().copied().chain(constants).collect();
    let options = runner.options(&Options::default());
    let stop = options.stop.clone().unwrap_or_else(|| ".".to_owned());
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut best: Option<DistinguishingPrompt> = None;
    for number in 0..PROMPTS {
        if workers.stopped() || programs.len() < 2 {
            break;
        }
        // Constants look odd in prompts, unless the program expects them.
        let symbols = if number < PROMPTS / 2 || best.is_some() { &symbols } else { &with_constants };
        let prompt = varied(prompts.choose(&mut random)?, symbols, &mut random).join(" ");
        let Ok(mut task) = runner.task_with(&prompt, &options) else { continue };
        task.limits.max_work = task.limits.max_work.min(MAX_WORK);
        let found = DistinguishingPrompt { continuations: continuations(programs, &task), prompt };
        let is_better = match &best {
            None => found.continuations.len() > 1,
            Some(best) => rank(&found, &stop) > rank(best, &stop),
        };
        if is_better {
            best = Some(found);
        }
    }
    best
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

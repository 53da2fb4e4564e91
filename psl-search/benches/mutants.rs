//! Mutants of the examples: how many each test suite notices, how many are proved equal, and how long it takes.
//!
//! `cargo bench -p psl-search --bench mutants`; `PROGRAM=pargen` takes one, `SHOW=20` lists the mutants that no test
//! notices and those that are equal up to a length, `TESTS=10` adds the prompts that tell the most mutants apart as
//! tests, one after the other, and `RANDOM=10000` runs those that are called equal on so many random prompts each, and
//! `FAULTS=200` a part of them.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::cast_precision_loss)]

#[allow(dead_code, reason = "other benches use the rest")]
mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use common::AllProcessors;
use psl_program::{Config, File};
use psl_runtime::{Executable, Options, Task, ValueId};
use psl_search::{Change, Fate, MutationTest, Workers, prompts_of};
use psl_syntax::read;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

fn main() {
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse::<usize>().ok()).unwrap_or_default();
    let only = env::var("PROGRAM").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut paths: Vec<_> = fs::read_dir(&folder).expect("the examples").map(|it| it.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "psl"));
    paths.sort();
    println!("{:20} mutants invalid killed endless equal up-to told unknown  score  seconds", "");
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("an example");
        run(&name, &text, &folder, number("SHOW"));
    }
}

fn run(name: &str, text: &str, folder: &Path, show: usize) {
    let file = File::new(text, Arc::new(Config::default()));
    let file = file.with_prompts(|path| fs::read_to_string(folder.join(path)).map_err(|error| error.to_string()));
    let start = Instant::now();
    let workers = AllProcessors(start + Duration::from_mins(10));
    let trials = match MutationTest::new(&file, &[], &workers, &Arc::new(AtomicBool::new(false))) {
        Ok(trials) => trials,
        Err(why) => return println!("{name}: {why}"),
    };
    let prepared = start.elapsed();
    let mutants = trials.mutants(false, &workers);
    let fates = trials.fates(&mutants.iter().collect::<Vec<_>>(), &workers);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for fate in fates.iter().flatten() {
        *counts.entry(kind(fate)).or_default() += 1;
    }
    let count = |kind: &str| counts.get(kind).copied().unwrap_or_default();
    let killed = count("killed") + count("endless");
    let all = killed + count("told") + count("unknown");
    println!(
        "{name:20} {:7} {:7} {:6} {:7} {:5} {:5} {:4} {:7} {:5.1} % {:.1} + {:.1}",
        mutants.len(),
        count("invalid"),
        count("killed"),
        count("endless"),
        count("equal"),
        count("up-to"),
        count("told"),
        count("unknown"),
        100.0 * killed as f64 / all.max(1) as f64,
        prepared.as_secs_f64(),
        start.elapsed().as_secs_f64() - prepared.as_secs_f64(),
    );
    let line = |change: &Change| text.get(..change.span.start as usize).unwrap_or_default().lines().count().max(1);
    let of = |name: &str| env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    let programs = Programs { original: Executable::new(file.program().clone()), text };
    if let Some(tests) = of("TESTS") {
        println!("    {}", programs.with_tests(&mutants, &fates, tests, killed, all));
    }
    if let Some(prompts) = of("RANDOM") {
        let workers = AllProcessors(Instant::now() + Duration::from_hours(24));
        println!("    {}", programs.on_random_prompts(&mutants, &fates, prompts, of("FAULTS"), &workers));
    }
    for wanted in ["told", "up-to"] {
        let of_kind = mutants.iter().zip(&fates).filter_map(|(mutant, fate)| Some((mutant, fate.as_ref()?)));
        let of_kind: Vec<_> = of_kind.filter(|(_, fate)| kind(fate) == wanted).collect();
        for (mutant, fate) in of_kind.iter().step_by((of_kind.len() / show.max(1)).max(1)).take(show) {
            println!("    {wanted} line {}: {} {}", line(mutant), mutant.description, shown(fate));
        }
    }
}

/// The number of parts of the random prompts, which run side by side.
const PARTS: usize = 64;

/// A program and its mutants.
struct Programs<'t> {
    original: Executable,
    text: &'t str,
}

type Continued = Result<Vec<Option<ValueId>>, ()>;

impl Programs<'_> {
    fn mutant(&self, change: &Change) -> Executable {
        Executable::new(read(change.apply(self.text).expect("its text")).analysis.program.clone())
    }

    fn task(&self, prompt: &[String]) -> Task {
        let symbols: Vec<&str> = prompt.iter().map(String::as_str).collect();
        let mut task = self.original.task(&symbols, &Options::of(&self.original.program)).expect("a task");
        task.limits.max_work = 4_000_000;
        task
    }

    /// Adds the prompts that tell the most mutants apart, and returns the score with them.
    fn with_tests(
        &self,
        mutants: &[Change],
        fates: &[Option<Fate>],
        tests: usize,
        killed: usize,
        all: usize,
    ) -> String {
        let told = mutants.iter().zip(fates).filter_map(|(mutant, fate)| match fate {
            Some(Fate::ToldApart(told)) if told.expected.is_ok() => Some((self.mutant(mutant), told.prompt.clone())),
            _ => None,
        });
        let (mut left, prompts): (Vec<Executable>, BTreeSet<String>) = told.unzip();
        let before = left.len();
        let mut chosen = Vec::new();
        while chosen.len() < tests && !left.is_empty() {
            let survivors = |prompt: &String| {
                let task = self.task(&prompt.split(' ').map(str::to_owned).collect::<Vec<_>>());
                let own = continued(&self.original, &task);
                left.iter().map(|mutant| continued(mutant, &task) == own).collect::<Vec<bool>>()
            };
            let counted = prompts.iter().map(|prompt| (survivors(prompt), prompt));
            let best = counted.min_by_key(|(survive, _)| survive.iter().filter(|it| **it).count());
            let Some((survive, prompt)) = best else { break };
            let mut survive = survive.into_iter();
            left.retain(|_| survive.next().unwrap_or(true));
            chosen.push(prompt.clone());
        }
        let score = 100.0 * (killed + before - left.len()) as f64 / all.max(1) as f64;
        format!("with {} more tests: {score:.1} %: {}", chosen.len(), chosen.join(" | "))
    }

    /// Runs mutants that no example notices on random prompts.
    fn on_random_prompts(
        &self,
        mutants: &[Change],
        fates: &[Option<Fate>],
        prompts: usize,
        faults: Option<usize>,
        workers: &dyn Workers,
    ) -> String {
        let of_tests = self.original.program.tests.iter().flat_map(prompts_of).collect::<Vec<_>>();
        let constants = self.original.program.constants.iter().map(|constant| constant.value.clone());
        let symbols: Vec<String> = constants.chain(["a", "b", "c", "0", "1", "2"].map(str::to_owned)).collect();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut prompt = |longest: Option<usize>| {
            let mut prompt: Vec<String> = Vec::new();
            if longest.is_none() && random.random_ratio(2, 3) {
                prompt.clone_from(of_tests.choose(&mut random).expect("a test"));
                for _ in 0..random.random_range(1..=4) {
                    let place = random.random_range(0..=prompt.len());
                    let end = (place + random.random_range(0..3)).min(prompt.len());
                    let some = random.random_range(0..3);
                    let new: Vec<String> =
                        (0..some).map(|_| symbols.choose(&mut random).expect("a symbol").clone()).collect();
                    drop(prompt.splice(place..end, new));
                }
            }
            while prompt.is_empty() {
                let length = random.random_range(1..=longest.unwrap_or(14));
                prompt = (0..length).map(|_| symbols.choose(&mut random).expect("a symbol").clone()).collect();
            }
            prompt
        };
        let mut pools: BTreeMap<Option<usize>, Vec<(Task, Continued, bool)>> = BTreeMap::new();
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let unnoticed: Vec<_> = mutants
            .iter()
            .zip(fates)
            .filter(|(_, fate)| matches!(fate, Some(Fate::Equal | Fate::EqualUpTo { .. } | Fate::ToldApart(_))))
            .collect();
        let step = faults.map_or(1, |faults| (unnoticed.len() / faults.max(1)).max(1));
        for (mutant, fate) in unnoticed.into_iter().step_by(step) {
            let (longest, without_numbers) = match fate {
                Some(Fate::EqualUpTo { symbols, without_numbers }) if faults.is_none() => {
                    (Some(*symbols), *without_numbers)
                }
                Some(Fate::ToldApart(_)) if faults.is_none() => continue,
                _ => (None, false),
            };
            let pool = pools.entry(longest).or_insert_with(|| {
                let of = |prompt: &Vec<String>| {
                    let task = self.task(prompt);
                    let own = continued(&self.original, &task);
                    (task, own, prompt.iter().any(|symbol| symbol.parse::<u32>().is_ok()))
                };
                let prompts: Vec<_> = (0..prompts).map(|_| prompt(longest)).collect();
                let pool = Mutex::new(Vec::new());
                workers.each(PARTS, &|part| {
                    let ran: Vec<_> = prompts.iter().skip(part).step_by(PARTS).map(of).collect();
                    pool.lock().expect("a pool").extend(ran);
                });
                pool.into_inner().expect("a pool")
            });
            let changed = self.mutant(mutant);
            let found = AtomicBool::new(false);
            workers.each(PARTS, &|part| {
                for (task, own, has_numbers) in pool.iter().skip(part).step_by(PARTS) {
                    if found.load(Ordering::Relaxed) {
                        return;
                    }
                    if !(*has_numbers && without_numbers) && continued(&changed, task) != *own {
                        found.store(true, Ordering::Relaxed);
                    }
                }
            });
            let count = counts.entry(fate.as_ref().map_or("", kind)).or_default();
            count.0 += 1;
            count.1 += usize::from(found.into_inner());
        }
        format!("{prompts} random prompts tell apart: {counts:?} (all, told apart)")
    }
}

fn continued(program: &Executable, task: &Task) -> Continued {
    let mut symbols = Vec::new();
    let end = program.generate(task, |symbol| {
        symbols.push(symbol);
        true
    });
    end.expect("a program of tables").map(|_| symbols).map_err(|_| ())
}

fn kind(fate: &Fate) -> &'static str {
    match fate {
        Fate::Invalid => "invalid",
        Fate::Killed { endless: false, .. } => "killed",
        Fate::Killed { endless: true, .. } => "endless",
        Fate::Equal => "equal",
        Fate::EqualUpTo { .. } => "up-to",
        Fate::ToldApart(_) => "told",
        Fate::Unknown => "unknown",
    }
}

fn shown(fate: &Fate) -> String {
    match fate {
        Fate::EqualUpTo { symbols, .. } => format!("({symbols})"),
        Fate::ToldApart(told) => {
            format!("{:?} whole {} {}/{}", told.prompt, told.is_whole, told.differs_on, told.compared_on)
        }
        _ => String::new(),
    }
}

//! Mutants of the examples: how many each test suite notices, how many are proved equal, and how long it takes.
//!
//! `cargo bench -p psl-search --bench mutants`; `PROGRAM=pargen` takes one, `SHOW=20` lists the mutants that no test
//! notices and those that are equal up to a length, and `TESTS=10` adds the prompts that tell the most mutants apart as
//! tests, one after the other.

#![allow(clippy::expect_used, clippy::print_stdout, clippy::cast_precision_loss)]

#[allow(dead_code, reason = "other benches use the rest")]
mod common;

use std::{
    collections::BTreeMap,
    env, fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use common::AllProcessors;
use psl_program::{Config, File};
use psl_search::{Change, Fate, MutationTest};

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
    for wanted in ["told", "up-to"] {
        let of_kind = mutants.iter().zip(&fates).filter_map(|(mutant, fate)| Some((mutant, fate.as_ref()?)));
        let of_kind: Vec<_> = of_kind.filter(|(_, fate)| kind(fate) == wanted).collect();
        for (mutant, fate) in of_kind.iter().step_by((of_kind.len() / show.max(1)).max(1)).take(show) {
            println!("    {wanted} line {}: {} {}", line(mutant), mutant.description, shown(fate));
        }
    }
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

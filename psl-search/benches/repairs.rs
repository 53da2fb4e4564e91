//! Repairs of programs with one seeded fault: how many are found, where the original is among them, and how long it
//! takes.
//!
//! `cargo bench -p psl-search --bench repairs`; `FAULTS=40` limits the number of faults, `TOGETHER=2` seeds two at a
//! time, `UNUSED=2` declares constants that nothing uses, `SHOW=1` lists those that failed, and `HELD_BACK=FOLDER` has
//! the best repairs complete the prompts of FOLDER/pargen.tsv and so on.

#![allow(clippy::expect_used, clippy::print_stdout)]

mod common;

use std::{
    collections::BTreeMap,
    env, fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use common::{AllProcessors, code, with_unused_constants};
use psl_program::Runner;
use psl_search::{Change, DistinguishingPrompt, Example, Judge, Operator, Repair, Verdict, changes, repair};
use psl_syntax::{Checked, diagnostic::Edit, program::TestPrompt, read};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

const PROGRAMS: [&str; 6] = ["pargen", "histogram", "reverse", "addition", "dyck1", "induction"];

/// The result of a fault.
struct Repaired {
    operator: Operator,
    repairs: usize,
    /// The place of the original program among the repairs, or of one that does the same, 1-based.
    original: Option<usize>,
    /// Whether a prompt tells the best two results apart, or `None` if there are fewer.
    told: Option<bool>,
    /// Whether others do the same as the best one, as far as compared.
    equal: bool,
    /// Whether the best repair completes the prompts that were held back.
    still_right: bool,
    tried: usize,
    time: Duration,
    /// The first repairs.
    sentences: Vec<String>,
}

fn main() {
    let together: usize = env::var("TOGETHER").ok().and_then(|faults| faults.parse().ok()).unwrap_or(1);
    let all_faults: usize = env::var("FAULTS").ok().and_then(|faults| faults.parse().ok()).unwrap_or(200);
    let show = env::var("SHOW").is_ok();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut all = Vec::new();
    for (index, name) in PROGRAMS.into_iter().enumerate() {
        let count = all_faults / PROGRAMS.len() + usize::from(index < all_faults % PROGRAMS.len());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/{name}.psl"));
        let text = fs::read_to_string(path).expect("an example");
        let original = read(with_unused_constants(&text));
        let start = Instant::now();
        let held_back = held_back(name);
        let results: Vec<Repaired> = seeded(&original, count, &mut random)
            .chunks(together)
            .filter_map(|faults| {
                let fault = faults.first()?;
                let edits = faults.iter().flat_map(|fault| fault.edits.iter().cloned());
                let mut edits: Vec<Edit> = edits.collect();
                edits.sort_by_key(|edit| edit.span);
                // Two faults at one place are one.
                let seeded = read(Edit::apply(&edits, &original.tree.text)?);
                let result = Some(&seeded).filter(|it| it.compiles())?;
                let result = repaired(&original, result, fault.operator, &held_back);
                if show && result.original.is_none_or(|place| place > 5) {
                    let place = result.original.map_or("not found".to_owned(), |place| format!("at {place}"));
                    println!(
                        "{name}: {:?} `{}`: {} repairs, the original {place}, {} tried",
                        fault.operator,
                        faults.iter().map(|fault| fault.description.as_str()).collect::<Vec<_>>().join("; "),
                        result.repairs,
                        result.tried
                    );
                    result.sentences.iter().for_each(|sentence| println!("    {sentence}"));
                }
                Some(result)
            })
            .collect();
        println!("{name:10} {} in {:.1} s", summary(&results), start.elapsed().as_secs_f64());
        all.extend(results);
    }
    println!("\n{:10} {}", "all", summary(&all));
    let mut by_operator: BTreeMap<Operator, Vec<Repaired>> = BTreeMap::new();
    for result in all {
        by_operator.entry(result.operator).or_default().push(result);
    }
    for (operator, results) in by_operator {
        println!("{:12} {}", format!("{operator:?}"), summary(&results));
    }
}

fn summary(results: &[Repaired]) -> String {
    let repaired = results.iter().filter(|result| result.repairs > 0).count();
    let first =
        |most: usize| results.iter().filter(|result| result.original.is_some_and(|place| place <= most)).count();
    let mut times: Vec<Duration> = results.iter().map(|result| result.time).collect();
    times.sort();
    let time = |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64();
    format!(
        "{:3} faults, {repaired:3} repaired, the original first {:3}, among five {:3}, still right {:3}; the best two told apart by a prompt {:3} of {:3}, the best one equal to others as far as compared {:3}; median {:.2} s, longest {:.2} s",
        results.len(),
        first(1),
        first(5),
        results.iter().filter(|result| result.still_right).count(),
        results.iter().filter(|result| result.told == Some(true)).count(),
        results.iter().filter(|result| result.told.is_some()).count(),
        results.iter().filter(|result| result.equal).count(),
        time(times.len() / 2),
        time(times.len().saturating_sub(1))
    )
}

/// Faults that the tests notice, each operator in turn.
fn seeded(original: &Checked, count: usize, random: &mut ChaCha8Rng) -> Vec<Change> {
    let runner = Runner::new(&original.analysis.program);
    let judge = judge(original, &runner);
    let mut by_operator: BTreeMap<Operator, Vec<Change>> = BTreeMap::new();
    for change in changes(original) {
        by_operator.entry(change.operator).or_default().push(change);
    }
    for changes in by_operator.values_mut() {
        changes.shuffle(random);
    }
    let mut found = Vec::new();
    // The programs start with different operators.
    let skip = random.random_range(0..by_operator.len());
    let mut order: Vec<Operator> = by_operator.keys().copied().collect();
    order.rotate_left(skip);
    while found.len() < count && by_operator.values().any(|changes| !changes.is_empty()) {
        for operator in &order {
            let Some(changes) = by_operator.get_mut(operator) else { continue };
            let noticed = |change: &Change| {
                let text = change.apply(&original.tree.text).expect("its text");
                matches!(judge.judge(&text), Verdict::Fails(_))
            };
            while let Some(change) = changes.pop() {
                if noticed(&change) {
                    found.push(change);
                    break;
                }
            }
        }
    }
    found.truncate(count);
    found
}

fn repaired(original: &Checked, faulty: &Checked, operator: Operator, held_back: &[Example]) -> Repaired {
    let start = Instant::now();
    let runner = Runner::new(&faulty.analysis.program);
    let examples = Example::of_tests(&faulty.analysis.program);
    let workers = AllProcessors(start + Duration::from_secs(10));
    let repairs = repair(&judge(faulty, &runner), None, &runner, &examples, &workers);
    let time = start.elapsed();
    let is_original = |repair: &Repair| code(&read(repair.text.as_str())) == code(original);
    let original = repairs.found.iter().position(|one| is_original(one) || one.same.iter().any(is_original));
    let judge = Judge::new(faulty, &runner, held_back, &Arc::new(AtomicBool::new(false))).expect("its prompts");
    let best = repairs.found.first();
    Repaired {
        operator,
        repairs: repairs.found.len(),
        original: original.map(|place| place + 1),
        told: (repairs.found.len() > 1).then(|| repairs.distinguishing_prompt.is_some_and(|prompt| tells(&prompt))),
        equal: repairs.found.first().is_some_and(|best| !best.same.is_empty()) && repairs.compared_on.is_some(),
        still_right: best.is_some_and(|best| judge.judge(&best.text) == Verdict::Passes),
        tried: repairs.tried,
        time,
        sentences: repairs.found.iter().take(8).map(sentences).collect(),
    }
}

/// Whether a prompt tells the best two results apart.
fn tells(prompt: &DistinguishingPrompt) -> bool {
    let of = |result| prompt.continuations.iter().position(|(_, results)| results.contains(&result));
    of(0) != of(1)
}

/// The examples of a program that are held back, if there are any.
fn held_back(name: &str) -> Vec<Example> {
    let Some(folder) = env::var_os("HELD_BACK") else { return Vec::new() };
    let text = fs::read_to_string(Path::new(&folder).join(format!("{name}.tsv"))).unwrap_or_default();
    let example = |line: &str| {
        let (prompt, rest) = line.split_once('\t').expect("a tab");
        let gold = rest.split('\t').next().unwrap_or_default();
        Example { prompt: TestPrompt::Plain(prompt.to_owned()), gold: gold.to_owned(), row: false }
    };
    text.lines().map(example).collect()
}

fn sentences(repair: &Repair) -> String {
    let changes: Vec<&str> = repair.changes.iter().map(|change| change.description.as_str()).collect();
    format!("{}; {:?}", changes.join("; "), repair.assessment)
}

fn judge<'p>(checked: &'p Checked, runner: &'p Runner) -> Judge<'p> {
    let examples = Example::of_tests(&checked.analysis.program);
    Judge::new(checked, runner, &examples, &Arc::new(AtomicBool::new(false))).expect("its tests")
}

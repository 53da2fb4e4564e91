//! Holes at the places of PARGEN: how many parts the analyses leave, how many fillings pass its tests, where the
//! original is among them, and how long it takes.
//!
//! `cargo bench -p psl-search --bench fillings`; `PAIRS=10` limits the pairs of holes, `UNUSED=2` declares constants
//! that nothing uses, and `SHOW=1` lists the ambiguous places.

#![allow(clippy::expect_used, clippy::print_stdout)]

mod common;

use std::{
    collections::BTreeSet,
    env, fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use common::{AllProcessors, code, with_unused_constants};
use psl_program::Runner;
use psl_search::{Example, Fillings, Operator, candidates, changes, fill};
use psl_syntax::{Checked, Span, diagnostic::Edit, holes::holes, read};
use rand::{SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

struct Filled {
    fillings: usize,
    /// Those that are constants alone.
    constants: usize,
    original: Option<usize>,
    /// Whether a prompt tells the fillings apart.
    told: bool,
    cut_off: bool,
    time: Duration,
}

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/pargen.psl");
    let original = read(with_unused_constants(&fs::read_to_string(path).expect("an example")));
    let show = env::var("SHOW").is_ok();
    let mut all = BTreeSet::new();
    for operator in [Operator::Constant, Operator::Register, Operator::Negation, Operator::Cell] {
        let places: BTreeSet<Span> =
            changes(&original).into_iter().filter(|it| it.operator == operator).map(|it| it.span).collect();
        let name = format!("{operator:?}");
        println!("{name:10} {}", left(&original, &places));
        let results: Vec<Filled> = places.iter().map(|&place| filled(&original, &[place], 60, show)).collect();
        println!("{name:10} {}", summary(&results));
        all.extend(places);
    }
    let pairs: usize = env::var("PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(100);
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let all: Vec<Span> = all.into_iter().collect();
    let results: Vec<Filled> = (0..pairs)
        .map(|_| {
            let mut pair: [Span; 2] = all.sample_array(&mut random).expect("two places");
            pair.sort_unstable();
            filled(&original, &pair, 30, show)
        })
        .collect();
    println!("{:10} {}", "two holes", summary(&results));
}

/// The parts that the analyses leave for each of these places, and the time that they take.
fn left(original: &Checked, places: &BTreeSet<Span>) -> String {
    let mut results: Vec<(Duration, usize, Option<usize>)> = places
        .iter()
        .filter_map(|&span| {
            let edit = Edit { span, text: "?".to_owned() };
            let checked = read(Edit::apply([&edit], &original.tree.text).expect("its text"));
            let hole = holes(&checked.tree).into_iter().next()?;
            let start = Instant::now();
            let found = candidates(&checked, hole).parts;
            let place = found.iter().position(|part| part == original.tree.str(span));
            Some((start.elapsed(), found.len(), place))
        })
        .collect();
    results.sort_unstable();
    let count = |test: &dyn Fn(usize) -> bool| results.iter().filter(|result| result.2.is_some_and(test)).count();
    let time = |at: usize| results.get(at).map_or(0.0, |result| result.0.as_secs_f64() * 1_000.0);
    let mut parts: Vec<usize> = results.iter().map(|result| result.1).collect();
    parts.sort_unstable();
    format!(
        "{:3} places: the analyses leave a median of {} parts; the original among them {:3}, among the first 20 {:3}; median {:.1} ms, longest {:.1} ms",
        results.len(),
        parts.get(parts.len() / 2).copied().unwrap_or_default(),
        count(&|_| true),
        count(&|place| place < 20),
        time(results.len() / 2),
        time(results.len().saturating_sub(1))
    )
}

fn filled(original: &Checked, places: &[Span], seconds: u64, show: bool) -> Filled {
    let edits: Vec<Edit> = places.iter().map(|&span| Edit { span, text: "?".to_owned() }).collect();
    let checked = read(Edit::apply(&edits, &original.tree.text).expect("its text"));
    let start = Instant::now();
    let Fillings { found, distinguishing_prompt, cut_off, .. } = fill(
        &checked,
        |checked| Runner::new(&checked.analysis.program),
        &Example::of_tests(&checked.analysis.program),
        &AllProcessors(start + Duration::from_secs(seconds)),
        &Arc::new(AtomicBool::new(false)),
    )
    .expect("its tests");
    let time = start.elapsed();
    let place = found.iter().position(|filling| code(&read(filling.text.as_str())) == code(original));
    if show && found.len() != 1 {
        let parts: Vec<String> = found.iter().take(8).map(|filling| filling.parts.join(", ")).collect();
        let written: Vec<&str> = places.iter().map(|place| original.tree.str(*place)).collect();
        println!(
            "{} at {:?}: {} fillings, the original {place:?}: {parts:?}; {distinguishing_prompt:?}",
            written.join(", "),
            places.iter().map(|place| place.start).collect::<Vec<_>>(),
            found.len()
        );
    }
    let constants = found.iter().filter(|filling| filling.parts.iter().all(|part| !part.contains('['))).count();
    Filled {
        fillings: found.len(),
        constants,
        original: place.map(|place| place + 1),
        told: distinguishing_prompt.is_some(),
        cut_off,
        time,
    }
}

fn summary(results: &[Filled]) -> String {
    let count = |test: &dyn Fn(&Filled) -> bool| results.iter().filter(|result| test(result)).count();
    let mut times: Vec<Duration> = results.iter().map(|result| result.time).collect();
    times.sort();
    let time = |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64();
    format!(
        "{:3} places: the original found {:3}, alone {:3}, the only constant {:3}, first of several {:3}; told apart by a prompt {:3}; cut off {}; median {:.2} s, longest {:.2} s",
        results.len(),
        count(&|it| it.original.is_some()),
        count(&|it| it.original.is_some() && it.fillings == 1),
        count(&|it| it.original.is_some() && it.constants == 1),
        count(&|it| it.original == Some(1) && it.fillings > 1),
        count(&|it| it.told),
        count(&|it| it.cut_off),
        time(times.len() / 2),
        time(times.len().saturating_sub(1))
    )
}

//! What the text is said to promise holds in runs: domains, productions that never fire, causality, blocks that settle.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod common;

use common::random::{Random, place};
use psl_runtime::{Executable, MachineKind, RunError};
use psl_syntax::{
    Causality, Code, causality, domains,
    names::Names,
    program::{Condition, Production},
};

const CASES: u64 = 4_000;

/// How often the promises could have been broken.
#[derive(Debug, Default)]
struct Coverage {
    values: usize,
    narrow: usize,
    never: usize,
    causal: usize,
    settled: usize,
    turning: usize,
}

fn check(seed: u64, coverage: &mut Coverage) {
    let mut random = Random::new(seed);
    let mut program = random.program();
    place(&mut program);
    let known = domains::domains(&program);
    let causal = causality::causality(&program);
    let found = domains::diagnostics(&program, &Names::default(), &known);
    let never = |production: &Production| {
        found.iter().any(|found| {
            matches!(found.code, Code::IllTypedCondition | Code::NeverFires)
                && !found.message.contains("makes null of all but positions")
                && production.head.range().contains(&(found.span.start as usize))
        })
    };
    let may_turn = found.iter().any(|found| found.code == Code::MayNotTerminate);

    let executable = Executable::new(program.clone());
    let productions = program.productions();
    for _ in 0..3 {
        let symbols = random.prompt();
        let task = executable.task(&symbols, &random.options()).unwrap();
        let (result, trace) = common::traced(&executable, MachineKind::Psm, &task);
        for update in &trace.updates {
            let layer = update.layer - 1;
            let production = productions[layer];
            for register in mentioned(production) {
                // What the layer has not set is what was there before it.
                let at = register.0 as usize;
                if update.set.iter().any(|(set, _)| *set == at) {
                    continue;
                }
                let value = update.state[at].map(|value| task.vocabulary.show(Some(value)));
                let domain = known.before(layer, register).unwrap();
                assert!(
                    known.admits(domain, value),
                    "seed {seed}, {symbols:?}: {register:?} is {value:?} at layer {}, not {}",
                    update.layer,
                    known.in_words(domain)
                );
                coverage.values += 1;
                coverage.narrow += usize::from(!known.admits(domain, Some("another")));
            }
            if never(production) {
                assert_eq!(update.attends, None, "seed {seed}, {symbols:?}: layer {} fired", update.layer);
                coverage.never += 1;
            }
            if let (Causality::Proved(proof), Some(n)) = (causal[layer], update.attends) {
                assert!(n <= update.cell, "seed {seed}, {symbols:?}: layer {} looks ahead: {proof:?}", update.layer);
                coverage.causal += 1;
            }
        }
        match result {
            Err(RunError::Endless { cycle, .. }) if !cycle.turning.is_empty() => {
                assert!(may_turn, "seed {seed}, {symbols:?}: a block turns for ever");
                coverage.turning += 1;
            }
            _ => coverage.settled += usize::from(!may_turn),
        }
    }
}

fn mentioned(production: &Production) -> impl Iterator<Item = psl_syntax::program::RegisterId> {
    let read = production.conditions.iter().flat_map(Condition::places);
    let copied = production.assignments.iter().filter_map(|assignment| assignment.source.place());
    read.chain(copied).map(|place| place.register)
}

#[test]
fn what_the_text_promises_holds_in_runs() {
    let mut coverage = Coverage::default();
    for seed in 0..CASES {
        check(seed, &mut coverage);
    }
    println!("{coverage:#?}");
    let Coverage { values, narrow, never, causal, settled, turning } = coverage;
    assert!([values, narrow, never, causal, settled, turning].iter().all(|count| *count > 100), "{coverage:#?}");
}

//! PSM = QKVM = DAT on every register of every cell after every layer, for random programs and prompts.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use std::collections::HashSet;

use common::random::Random;
use psl_runtime::trace::Names;
use psl_runtime::{Executable, MachineKind, RunError, VerifyError, qkvl};

const CASES: u64 = 2_000;

/// How much the cases exercise.
#[derive(Debug, Default)]
struct Coverage {
    productions: usize,
    fired: usize,
    ended: usize,
    endless: usize,
    too_many_passes: usize,
    settled_unsatisfied: usize,
    generated_cells: usize,
    passes_in_generation: usize,
    more_passes_than_the_prompt: usize,
    nested_passes: usize,
}

fn check(seed: u64, coverage: &mut Coverage) {
    let mut random = Random::new(seed);
    let executable = Executable::new(random.program());
    let symbols = random.prompt();
    let mut task = executable.task(&symbols, &random.options()).unwrap();
    if random.next_is_structured() {
        for (cell, register, value) in random.further(symbols.len(), &executable.registers) {
            task.input.cells[cell][register] = Some(task.vocabulary.add(value));
        }
    }
    let shown = executable.qkvl.to_json();
    assert_eq!(qkvl::Program::from_json(&shown).as_ref(), Ok(&executable.qkvl), "seed {seed}");

    let result = executable.verify(&task);
    if let Err(VerifyError::Diverged(divergence)) = &result {
        let labels = executable.labels();
        let names = Names { registers: &executable.registers, vocabulary: &task.vocabulary, labels: &labels };
        let prompt = symbols.join(" ");
        panic!("seed {seed}, prompt {prompt}: {}\n{divergence:#?}\n{shown}", divergence.message(&names));
    }
    let mut fired = HashSet::new();
    let mut prompt_passes = HashSet::new();
    let (_, trace) = common::traced(&executable, MachineKind::Psm, &task);
    for update in &trace.updates {
        if update.attends.is_some() {
            fired.insert(update.layer);
        }
        if update.step == 0 {
            prompt_passes.insert((update.layer, update.pass.clone()));
        } else if update.pass.iter().any(|&pass| pass > 1) {
            coverage.passes_in_generation += 1;
            coverage.more_passes_than_the_prompt +=
                usize::from(!prompt_passes.contains(&(update.layer, update.pass.clone())));
        }
        coverage.nested_passes += usize::from(update.pass.iter().filter(|pass| **pass > 1).count() > 1);
    }
    coverage.productions += executable.qkvl.layers().len();
    coverage.fired += fired.len();
    match result {
        Ok(run) => {
            coverage.ended += 1;
            coverage.generated_cells += run.output.len();
        }
        Err(VerifyError::Run(RunError::Endless { cycle, .. })) if cycle.turning.is_empty() => {
            coverage.settled_unsatisfied += 1;
        }
        Err(VerifyError::Run(RunError::Endless { .. })) => coverage.endless += 1,
        Err(_) => coverage.too_many_passes += 1,
    }
}

#[test]
fn the_machines_agree() {
    let mut coverage = Coverage::default();
    for seed in 0..CASES {
        check(seed, &mut coverage);
    }
    println!("{coverage:#?}");
    let cases = CASES as usize;
    assert!(3 * coverage.fired >= coverage.productions, "{coverage:#?}");
    assert!(3 * coverage.ended >= cases, "{coverage:#?}");
    assert!(coverage.endless > 0 && coverage.too_many_passes > 0 && coverage.settled_unsatisfied > 0, "{coverage:#?}");
    assert!(coverage.generated_cells > cases && coverage.more_passes_than_the_prompt > 0, "{coverage:#?}");
    assert!(coverage.nested_passes > 0, "{coverage:#?}");
}

//! PSM = QKVM = DAT on every register of every cell after every layer, for random programs and prompts. As in normal
//! use, a program is loaded once, from text, QKVL or a weights file, and runs on several prompts, plain or structured,
//! with and without an observer.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test runtime agreement -- --nocapture` runs more than the
//! default 500 cases, and prints their coverage.

use psl_runtime::{Executable, MachineKind, Run, RunError, Stopped, Task, qkvl};
use psl_syntax::program::RegisterId;

use crate::common::{
    self,
    agreeing::{agree, by_weights, cancellable, describe, random_layout},
    cases,
    coverage::Coverage,
    random::{Random, set_causal_attn},
    scattered::scattered,
};

fn check(seed: u64, coverage: &mut Coverage) {
    let mut random = Random::new(seed);
    let mut program = random.program();
    set_causal_attn(&mut program);
    let executable = Executable::new(common::program(&scattered(&mut random, &program)));
    let qkvl = qkvl::Program::from_json(&executable.qkvl().to_json()).unwrap();
    assert_eq!(&qkvl, executable.qkvl(), "seed {seed}");
    let by_qkvl = random.percent(25).then(|| Executable::of_qkvl(qkvl.clone()));

    for prompt in 1..=1 + random.below(3) {
        let place = format!("seed {seed}, prompt {prompt}");
        let (cells, mut options) = common::random_prompt(&mut random, &executable.registers);
        let register = RegisterId::new(random.below(executable.registers.len() as u64) as usize);
        options.answer = random.percent(10).then_some(register);
        coverage.count("run for a row", options.answer.is_some());
        let run = |executable: &Executable, form: &str| {
            let (place, task) = (format!("{place}, {form}"), cancellable(executable, &cells, &options));
            let answer = agree(executable, &task, &place);
            (describe(&answer, executable, &task), task, answer)
        };
        let (expected, task, answer) = run(&executable, "text");
        check_row(&executable, &task, &answer, &place);
        let (_, trace) = common::traced(&executable, MachineKind::Psm, &task);
        coverage.run(&executable, &task, &answer, &trace);
        coverage.count("run of a program that has run before", prompt > 1);
        if let Some(by_qkvl) = &by_qkvl {
            assert_eq!(run(by_qkvl, "QKVL").0, expected, "{place}");
        }
        coverage.count("run through QKVL", by_qkvl.is_some());
        let layout = random_layout(&mut random);
        if let Some(layout) = layout {
            let by_weights = by_weights(&qkvl, &task, layout);
            assert_eq!(run(&by_weights, "weights").0, expected, "{place}");
        }
        coverage.count("run through weights", layout.is_some());
    }
}

/// Checks that a row is one register of the cells of the prompt, which the DAT passes on one by one.
fn check_row(executable: &Executable, task: &Task, answer: &Result<Run, RunError>, place: &str) {
    let (Some(register), Ok(run)) = (task.answer, answer) else { return };
    let held: Vec<_> = run.states.iter().map(|state| state[register.index()]).collect();
    assert_eq!((&run.output, run.stopped), (&held, Stopped::PromptPass), "{place}");
    assert_eq!(held.len(), task.input.cells.len(), "{place}");
    for most in [1, held.len()] {
        let mut found = Vec::new();
        let accept = |value| {
            found.push(value);
            found.len() < most
        };
        executable.generate(task, accept).expect("tables").expect("a run");
        assert_eq!(found, held[..most], "{place}");
    }
}

#[test]
fn the_machines_agree() {
    let cases = cases(500);
    let mut coverage = Coverage::default();
    for seed in 0..cases {
        check(seed, &mut coverage);
    }
    println!("{coverage}");
    // Fewer cases may miss the rare constructs.
    if cases >= 2_000 {
        assert_eq!(coverage.rows.len(), 75, "the number of constructs that occur has changed");
        for (construct, row) in &coverage.rows {
            assert!(row.fired >= 20, "`{construct}` hardly ever fires");
            let of_productions =
                ["assignment", "condition", "production"].iter().any(|kind| construct.starts_with(kind));
            assert!(!of_productions || 10 * row.fired >= row.occurred, "`{construct}` fires too rarely");
            assert!(row.decided.is_none_or(|decided| decided >= 10), "`{construct}` hardly ever decides");
        }
    }
}

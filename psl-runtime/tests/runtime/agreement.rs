//! PSM = QKVM = DAT on every register of every cell after every layer, for random programs and prompts. As in normal
//! use, a program is loaded once, from text, QKVL or a weights file, and runs on several prompts, plain or structured,
//! with and without an observer.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test runtime agreement -- --nocapture` runs more than the default 2,000
//! cases, and prints their coverage.

use std::{io::Cursor, sync::Arc};

use psl_runtime::{
    Cell, Executable, MachineKind, Options, Run, RunError, Task, VerifyError, qkvl,
    trace::TraceNames,
    weights::file::{Layout, Model, read, write},
};

use crate::common::{
    self,
    coverage::Coverage,
    random::{Random, set_causal_attn},
    scattered::scattered,
};

/// Runs a task on all machines, with and without an observer. Returns their common result.
fn agree(executable: &Executable, task: &Task, place: &str) -> Result<Run, RunError> {
    for machine in MachineKind::ALL {
        assert_eq!(executable.lacks(machine), None, "{place}\n{}", executable.qkvl().to_json());
    }
    let answer = match executable.verify(task) {
        Ok(verified) => Ok(verified.run),
        Err(VerifyError::Run(error)) => Err(error),
        Err(VerifyError::Diverged(divergence)) => {
            let labels = executable.labels();
            let names = TraceNames { registers: &executable.registers, vocabulary: &task.vocabulary, labels: &labels };
            panic!("{place}: {}\n{divergence:#?}\n{}", divergence.message(&names), executable.qkvl().to_json());
        }
    };
    for machine in MachineKind::ALL {
        let found = executable.run(machine, task, None);
        assert!(found == answer, "{place}, {} unobserved: {found:?}, not {answer:?}", machine.name());
    }
    answer
}

/// A result as text, because vocabularies may list the same values in different orders.
fn describe(answer: &Result<Run, RunError>, executable: &Executable, task: &Task) -> String {
    let shown = |values: &[Option<_>]| values.iter().map(|&it| task.vocabulary.show(it)).collect::<Vec<_>>().join(" ");
    match answer {
        Ok(run) => format!(
            "{} {:?}\n{}",
            shown(&run.output),
            run.stopped,
            run.states.iter().map(|state| shown(state)).collect::<Vec<_>>().join("\n")
        ),
        Err(error) => error.message(&executable.registers, &task.vocabulary),
    }
}

/// The program as weights for the values of a task, written to a file and read back.
fn by_weights(program: &qkvl::Program, task: &Task, layout: Layout) -> Executable {
    let mut file = Vec::new();
    write(&Model::new(program, task.vocabulary.clone()), layout, &mut file).unwrap();
    Executable::of_weights(read(&mut Cursor::new(file)).unwrap())
}

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
        let (cells, options) = common::random_prompt(&mut random, &executable.registers);
        let run = |executable: &Executable, form: &str| {
            let (place, task) = (format!("{place}, {form}"), task(executable, &cells, &options));
            let answer = agree(executable, &task, &place);
            (describe(&answer, executable, &task), task, answer)
        };
        let (expected, task, answer) = run(&executable, "text");
        let (_, trace) = common::traced(&executable, MachineKind::Psm, &task);
        coverage.run(&executable, &task, &answer, &trace);
        coverage.count("run of a program that has run before", prompt > 1);
        if let Some(by_qkvl) = &by_qkvl {
            assert_eq!(run(by_qkvl, "QKVL").0, expected, "{place}");
        }
        coverage.count("run through QKVL", by_qkvl.is_some());
        let layout = match random.below(16) {
            0 => Some(Layout::Dense),
            1..4 => Some(Layout::Sparse),
            _ => None,
        };
        if let Some(layout) = layout {
            let by_weights = by_weights(&qkvl, &task, layout);
            assert_eq!(run(&by_weights, "weights").0, expected, "{place}");
        }
        coverage.count("run through weights", layout.is_some());
    }
}

fn task(executable: &Executable, cells: &[Cell<'_>], options: &Options) -> Task {
    let mut task = executable.structured_task(cells, options).unwrap();
    task.limits.cancelled = vec![Arc::default()];
    task
}

#[test]
fn the_machines_agree() {
    let cases = std::env::var("CASES").map_or(2_000, |cases| cases.parse().unwrap());
    let mut coverage = Coverage::default();
    for seed in 0..cases {
        check(seed, &mut coverage);
    }
    println!("{coverage}");
    // Fewer cases may miss the rare constructs.
    if cases >= 2_000 {
        assert_eq!(coverage.rows.len(), 74, "the number of constructs that occur has changed");
        for (construct, row) in &coverage.rows {
            assert!(row.fired >= 20, "`{construct}` hardly ever fires");
            let of_productions =
                ["assignment", "condition", "production"].iter().any(|kind| construct.starts_with(kind));
            assert!(!of_productions || 10 * row.fired >= row.occurred, "`{construct}` fires too rarely");
            assert!(row.decided.is_none_or(|decided| decided >= 10), "`{construct}` hardly ever decides");
        }
    }
}

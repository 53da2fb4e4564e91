//! The speed of trying a change: one constant of one condition of PARGEN, compiled, with its nine tests.

#![allow(clippy::unwrap_used, missing_docs, reason = "criterion_group! makes undocumented functions")]

use std::{cell::Cell, hint::black_box};

use criterion::{Criterion, criterion_group, criterion_main};
use psl_program::Runner;
use psl_runtime::{Executable, MachineKind, Task};
use psl_syntax::{Checked, Program, SourceText, read, reread};

/// The binary's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PARGEN: &str = include_str!("../../examples/pargen.psl");

fn changed_program(criterion: &mut Criterion) {
    let changed = PARGEN.replacen("prev_type[n] == D and", "prev_type[n] == C and", 1);
    assert_ne!(changed, PARGEN);
    let texts: [SourceText; 2] = [PARGEN.into(), changed.into()];
    let [before, after] = texts.clone().map(read);
    let (program, runner) = (&after.analysis.program, Runner::new(&before.analysis.program));
    let executable = runner.executable();
    let tasks: Vec<(Task, &str)> =
        program.tests.iter().map(|test| (runner.test_task(test).unwrap(), test.gold.as_str())).collect();
    let passes = |runner: &Runner| {
        let passes = |(task, gold): &&(Task, &str)| runner.complete(task, MachineKind::Dat, None).unwrap().is(gold);
        tasks.iter().filter(passes).count()
    };
    assert_eq!((tasks.len(), passes(&runner)), (9, 9));

    // Each time the other text, as an edit of the last one.
    let turn = Cell::new(0);
    let edited = || {
        turn.set(1 - turn.get());
        if turn.get() == 1 { (&before, texts[1].clone()) } else { (&after, texts[0].clone()) }
    };
    let mut bench = |name: &str, work: &dyn Fn() -> usize| {
        criterion.bench_function(name, |bench| bench.iter(|| black_box(work())));
    };
    let edit = || -> Checked {
        let (earlier, text) = edited();
        reread(earlier, text)
    };
    bench("edited text, read again", &|| edit().diagnostics.len());
    bench("edited text, read again, compiled, nine tests", &|| {
        let checked = edit();
        let runner = Runner::new(&checked.analysis.program);
        let listed = &checked.analysis.program.tests;
        listed.iter().filter(|test| runner.test(test, MachineKind::Dat).unwrap().is(&test.gold)).count()
    });
    bench("nine tests", &|| passes(&runner));
    let mut bench = |name: &str, work: &dyn Fn(Program) -> usize| {
        criterion.bench_function(name, |bench| bench.iter(|| black_box(work(program.clone()))));
    };
    bench("program compiled", &|program| Executable::new(program).labels().len());
    bench("changed program compiled", &|program| executable.changed(program).labels().len());
    bench("changed program compiled, nine tests", &|program| passes(&Runner::of(executable.changed(program))));
}

criterion_group!(benches, changed_program);
criterion_main!(benches);

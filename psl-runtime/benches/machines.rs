//! How long PARGEN takes: to compile, to become weights, and to complete the paper's `swap` prompt on each machine.

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use psl_runtime::{Executable, MachineKind, Options, compile, weights};

const PARGEN: &str = include_str!("../../tests/programs/pargen.psl");
const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

fn machines(criterion: &mut Criterion) {
    let program = psl_syntax::check(PARGEN).analysis.program;
    let symbols: Vec<&str> = SWAP.split(' ').collect();
    let pargen = Executable::new(program.clone());
    let task = pargen.task(&symbols, &Options::default()).unwrap();

    criterion.bench_function("compile PARGEN", |bench| bench.iter(|| compile(black_box(&program))));
    criterion.bench_function("weights for swap", |bench| {
        bench.iter(|| weights(black_box(&pargen.qkvl), &task.vocabulary));
    });
    for machine in MachineKind::ALL {
        criterion.bench_function(&format!("swap on {}", machine.name()), |bench| {
            bench.iter(|| pargen.run(machine, black_box(&task), None));
        });
    }
    criterion.bench_function("verify swap", |bench| bench.iter(|| pargen.verify(black_box(&task))));
}

criterion_group!(benches, machines);
criterion_main!(benches);

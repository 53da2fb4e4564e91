//! Benchmarks of PARGEN: compiling, making weights, and running the paper's `swap` prompt on each machine. Also the DAT
//! on longer and longer prompts.

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use psl_runtime::{Embedding, Executable, MachineKind, Options, Task, compile, weights};
use psl_syntax::schedule::schedule;

/// The binary's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PARGEN: &str = include_str!("../../examples/pargen.psl");
const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

fn machines(criterion: &mut Criterion) {
    let program = psl_syntax::check(PARGEN).analysis.program;
    let symbols: Vec<&str> = SWAP.split(' ').collect();
    let pargen = Executable::new(program.clone());
    let task = pargen.task(&symbols, &Options::default()).unwrap();

    criterion.bench_function("compile PARGEN", |bench| bench.iter(|| compile(black_box(&program))));
    criterion.bench_function("weights for swap", |bench| {
        bench.iter(|| weights(black_box(pargen.qkvl()), &task.vocabulary));
    });
    criterion.bench_function("PARGEN to an executable", |bench| {
        bench.iter(|| Executable::new(black_box(program.clone())));
    });
    criterion.bench_function("vocabulary and cells of swap", |bench| {
        bench.iter(|| pargen.task(black_box(&symbols), &Options::default()));
    });
    for machine in MachineKind::ALL {
        criterion.bench_function(&format!("swap on {}", machine.name()), |bench| {
            bench.iter(|| pargen.run(machine, black_box(&task), None));
        });
    }
    for embedding in [Embedding::SemiLocal { seed: 0 }, Embedding::Distributed { seed: 0 }] {
        criterion.bench_function(&format!("swap, {embedding:?}"), |bench| {
            bench.iter(|| pargen.run_embedded(embedding, black_box(&task), None));
        });
    }
    criterion.bench_function("verify swap", |bench| bench.iter(|| pargen.verify(black_box(&task))));
}

/// A prompt that copies one constituent. `symbols` is two more than a multiple of three.
fn prompt(symbols: usize) -> Vec<String> {
    let words = (symbols - 5) / 3;
    let (example, cue) = ((0..words).map(|word| format!("x{word}")), (0..words).map(|word| format!("y{word}")));
    let mark = |text: &str| [text.to_owned()];
    let answer = mark("A").into_iter().chain(example.clone()).chain(mark("."));
    mark("Q").into_iter().chain(example).chain(answer).chain(mark("Q")).chain(cue).chain(mark("A")).collect()
}

fn task(executable: &Executable, symbols: usize, max_new: usize) -> Task {
    let prompt = prompt(symbols);
    let symbols: Vec<&str> = prompt.iter().map(String::as_str).collect();
    executable.task(&symbols, &Options { max_new: Some(max_new), ..Options::default() }).unwrap()
}

/// Whole prompts, and single layers that match by an index over the keys, by keys that differ, or by position.
fn lengths(criterion: &mut Criterion) {
    let pargen = Executable::new(psl_syntax::check(PARGEN).analysis.program);
    for length in [11, 101, 1001] {
        let (prompt, whole) = (task(&pargen, length, 0), task(&pargen, length, length));
        criterion.bench_function(&format!("prompt of {length}"), |bench| {
            bench.iter(|| pargen.run(MachineKind::Dat, black_box(&prompt), None));
        });
        criterion.bench_function(&format!("prompt of {length} and its continuation"), |bench| {
            bench.iter(|| pargen.run(MachineKind::Dat, black_box(&whole), None));
        });
    }
    let layers = [
        ("by key", "where symbol[n] == symbol[N]: mark[N] = position[n]"),
        ("rightmost, causal", "causal_attn: true where_rm symbol[n] == symbol[N]: mark[N] = position[n]"),
        ("by keys that differ", "where symbol[n] != symbol[N] and position[n] != position[N]: mark[N] = position[n]"),
        ("by position", "where position[n] == position[N]@pos_decrement: mark[N] = symbol[n]"),
    ];
    for (name, production) in layers {
        let text = format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}} constants: {{A}}
             system: {{symbol: symbol, position: position, output: mark}} {production}"
        );
        let executable = Executable::new(psl_syntax::check(&text).analysis.program);
        for length in [1001, 2000, 4001] {
            let task = task(&executable, length, 0);
            criterion.bench_function(&format!("layer of {length} cells, {name}"), |bench| {
                bench.iter(|| executable.run(MachineKind::Dat, black_box(&task), None));
            });
        }
    }
}

/// PARGEN by layers and by the heads of its schedule.
fn heads(criterion: &mut Criterion) {
    let program = psl_syntax::check(PARGEN).analysis.program;
    let scheduled = schedule(&program, None).apply(&program);
    criterion.bench_function("schedule PARGEN", |bench| bench.iter(|| schedule(black_box(&program), None)));
    for (name, program) in [("by layers", program), ("by heads", scheduled)] {
        let executable = Executable::new(program);
        let swap = executable.task(&SWAP.split(' ').collect::<Vec<_>>(), &Options::default()).unwrap();
        for machine in [MachineKind::Dat, MachineKind::FullDat] {
            criterion.bench_function(&format!("swap {name} on {}", machine.name()), |bench| {
                bench.iter(|| executable.run(machine, black_box(&swap), None));
            });
        }
        let long = task(&executable, 1001, 0);
        criterion.bench_function(&format!("prompt of 1001 {name}"), |bench| {
            bench.iter(|| executable.run(MachineKind::Dat, black_box(&long), None));
        });
    }
}

criterion_group!(benches, machines, lengths, heads);
criterion_main!(benches);

//! Golden data, and runs of the machines.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod agreeing;
pub mod coverage;
pub mod full_trace;
pub mod numbers;
pub mod random;
pub mod scattered;
pub mod seeds;

use std::{fs, path::PathBuf};

use psl_runtime::{Cell, Executable, MachineKind, Options, Registers, Run, RunError, Task, Trace, to_the_end};
use psl_syntax::Program;
use random::Random;
use serde_json::Value;

pub const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");

/// The number of random cases: `CASES` in the environment, or the default. `tests/run --long` sets more.
pub fn cases(default: u64) -> u64 {
    std::env::var("CASES").map_or(default, |cases| cases.parse().unwrap())
}

pub fn text(path: &str) -> String {
    fs::read_to_string(format!("{TESTS}/{path}")).unwrap_or_else(|cause| panic!("{path}: {cause}"))
}

pub fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|cause| panic!("{path}: {cause}"))
}

/// The files of a folder whose names end in `ending`, of which there is at least one.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(format!("{TESTS}/{folder}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no file in {folder} ends in {ending}");
    files
}

/// The file's name without its extension.
pub fn stem(path: &std::path::Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

/// A program without errors.
pub fn program(source: &str) -> Program {
    let checked = psl_syntax::check(source);
    assert!(checked.compiles(), "{:?}", checked.diagnostics);
    checked.analysis.program
}

/// The task for symbols separated by spaces.
pub fn task(program: &Executable, prompt: &str, options: &Options) -> Task {
    program.task(&prompt.split_whitespace().collect::<Vec<_>>(), options).unwrap()
}

/// A random program with a task.
pub fn random_task(seed: u64) -> (Executable, Task) {
    let mut random = Random::new(seed);
    let executable = Executable::new(random.program());
    let (cells, options) = random_prompt(&mut random, &executable.registers);
    let task = executable.structured_task(&cells, &options).unwrap();
    (executable, task)
}

/// A random prompt, structured in half of the cases, and the options of its run.
pub fn random_prompt(random: &mut Random, registers: &Registers) -> (Vec<Cell<'static>>, Options) {
    let symbols = if random.percent(4) { random.long_prompt() } else { random.prompt() };
    let mut options = random.options();
    if random.percent(10) {
        options.max_new = None;
    }
    let mut cells = registers.cells(&symbols);
    if random.next_is_structured() {
        for (cell, register, value) in random.further(symbols.len(), registers) {
            cells[cell].push((register, value));
        }
        random.odd_cells(&mut cells);
    }
    (cells, options)
}

/// Runs one machine, and returns the result and the trace.
pub fn traced(program: &Executable, machine: MachineKind, task: &Task) -> (Result<Run, RunError>, Trace) {
    let mut trace = Trace::default();
    let run = program.run(machine, task, Some(&mut to_the_end(|update| trace.updates.push(update.clone()))));
    (run, trace)
}

pub fn pargen() -> Executable {
    Executable::new(program(&text("../examples/pargen.psl")))
}

/// A continuation as text, with `∅` for null.
pub fn output(run: &Run, task: &Task) -> String {
    run.output.iter().map(|&value| task.vocabulary.show(value)).collect::<Vec<_>>().join(" ")
}

/// A state as JSON, under the given names, without null registers.
pub fn state(held: &[Option<psl_runtime::ValueId>], names: &[String], task: &Task) -> Value {
    let held = names
        .iter()
        .zip(held)
        .filter_map(|(name, value)| value.map(|value| (name.clone(), Value::from(task.vocabulary.show(Some(value))))));
    Value::Object(held.collect())
}

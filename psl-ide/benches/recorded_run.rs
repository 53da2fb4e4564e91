//! Memory of a recorded run of PARGEN with 1,000 cells, and the time of the questions about it.

#![allow(clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark may fail by panic")]

use std::{
    hint::black_box,
    process,
    sync::Arc,
    time::{Duration, Instant},
};

use psl_ide::{File, Progress, RecordedRun, attention, first_difference, matches, where_from};
use psl_runtime::MachineKind;
use sysinfo::{Pid, ProcessesToUpdate, System};

/// The same allocator as in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PARGEN: &str = include_str!("../../examples/pargen.psl");
/// The constituent's length for 1,000 cells.
const WORDS: usize = 249;
/// The number of recorded runs over which memory is averaged.
const COPIES: usize = 8;

fn main() {
    let file = File::new(PARGEN, Arc::default());
    let runner = file.runner().expect("PARGEN compiles");
    let task = runner.task(&prompt()).expect("a task");
    let record = || RecordedRun::new(runner, task.clone(), MachineKind::Dat, &Progress::default());
    // The first run also leaves memory for reuse.
    let (run, elapsed) = timed(record);
    let before = memory();
    let copies: Vec<RecordedRun> = (0..COPIES).map(|_| record()).collect();
    let megabytes = memory().saturating_sub(before) as f64 / COPIES as f64 / 1e6;
    let (rows, cells) = (run.rows().len(), run.cells());
    println!("{cells} cells, {rows} rows, {:?}", run.outcome().as_ref().map(|continuation| continuation.stopped));
    println!("recorded in {elapsed:?}: {megabytes:.1} MB");

    let program = &runner.executable().program;
    let registers = program.registers.len();
    report(
        "all cells at a time",
        (0..=rows).map(|time| elapsed_of(|| (1..=cells).map(|cell| run.state(cell, time)).collect::<Vec<_>>())),
    );
    let all = (0..rows).flat_map(|row| (1..=cells).map(move |cell| (row, cell)));
    let some: Vec<(usize, usize)> = all.step_by(1_999).collect();
    let question = |&(row, cell): &(usize, usize)| elapsed_of(|| matches(program, &run, row, cell));
    report("matches of a cell", some.iter().map(question));
    report("attention of a row", (0..rows).step_by(31).map(|row| elapsed_of(|| attention(program, &run, row))));
    let question = |&(row, cell): &(usize, usize)| elapsed_of(|| where_from(program, &run, row % registers, cell, row));
    report("the origin of a value", some.iter().map(question));
    report("the first difference of equal runs", copies.iter().map(|copy| elapsed_of(|| first_difference(&run, copy))));
}

/// One constituent, copied.
fn prompt() -> String {
    let constituent = |letter: char| (0..WORDS).map(|word| format!("{letter}{word}")).collect::<Vec<_>>().join(" ");
    format!("Q {} A {} . Q {} A", constituent('x'), constituent('x'), constituent('y'))
}

/// The resident memory of this process, in bytes.
fn memory() -> u64 {
    let mut system = System::new().expect("a system");
    let own = Pid::from_u32(process::id());
    system.refresh_processes(ProcessesToUpdate::Some(&[own]), true);
    system.process(own).expect("this process").memory()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed())
}

fn elapsed_of<T>(work: impl FnOnce() -> T) -> Duration {
    timed(work).1
}

/// Prints the median and the 99th percentile.
fn report(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let of = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("{what}: median {:?}, p99 {:?}", of(50), of(99));
}

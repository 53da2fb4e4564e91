//! Memory of recorded runs with 1,000 cells, and the time of the questions about them: PARGEN, and blocks with 10,000
//! passes.
//!
//! With the name of a case and `run` or `record` as arguments, it prints the memory peak of that alone, in kilobytes.

#![allow(clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark may fail by panic")]

use std::{
    env, fs,
    hint::black_box,
    process::{self, Command},
    sync::Arc,
    time::{Duration, Instant},
};

use psl_program::{File, Progress};
use psl_runtime::{
    CellId, MachineKind, Options, Task,
    record::{RecordedRun, RowId, Time, attention, first_difference, matches, origin},
};
use psl_syntax::program::RegisterId;
use sysinfo::{Pid, ProcessesToUpdate, System};

/// The binary's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PARGEN: &str = include_str!("../../examples/pargen.psl");
/// The constituent's length for 1,000 cells.
const WORDS: usize = 249;
/// The number of recorded runs over which memory is averaged.
const COPIES: usize = 8;

/// A program with a block that counts its passes in cell 1, and the lines of one more layer.
macro_rules! counting {
    ($layer:literal) => {
        concat!(
            "registers: {symbol: 's', position: 'p', count: 'c', mark: 'm'}
constants: {a, '0', '1', '9990'}
system: {symbol: symbol, position: position, output: symbol}
where position[N] == 1:
    count[N] = 0
repeat:
    where count[N] != 9990:
        count[N] = count[N]@pos_increment
",
            $layer,
            "until count[N] == 9990\n"
        )
    };
}

/// The other cells do not change.
const FEW_CHANGE: &str = counting!("");
/// A layer fires in all cells, and writes the same value in each pass.
const ALL_FIRE: &str = counting!("    where symbol[n] == symbol[N]:\n        mark[N] = symbol[n]\n");
/// A layer fires in all cells, and writes another value in each pass.
const ALL_CHANGE: &str = counting!("    where symbol[n] == symbol[N]:\n        mark[N] = count[n]\n");

/// The cases by name.
const CASES: [(&str, &str); 4] =
    [("pargen", PARGEN), ("few-change", FEW_CHANGE), ("all-fire", ALL_FIRE), ("all-change", ALL_CHANGE)];

fn main() {
    // Cargo also passes `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [name, what] = &arguments[..] {
        let (_, text) = CASES.into_iter().find(|(case, _)| case == name).expect("a case");
        println!("{}", peak_of(text, what == "record"));
        return;
    }
    for (name, text) in CASES {
        println!("\n{name}");
        let peak = |what: &str| {
            let own = env::current_exe().expect("this program");
            let output = Command::new(own).args([name, what]).output().expect("a child").stdout;
            String::from_utf8_lossy(&output).trim().parse::<f64>().unwrap_or_default() / 1e3
        };
        let (run, record) = (peak("run"), peak("record"));
        println!("peak of the run {run:.1} MB, of the record {record:.1} MB: {:.2} times", record / run);
        questions(text);
    }
}

/// The memory peak of this process after a run, in kilobytes, or 0 if the system does not report it.
fn peak_of(text: &str, is_recorded: bool) -> usize {
    let file = File::new(text, Arc::default());
    let runner = file.runner().expect("the program compiles");
    let task = task(&file);
    if is_recorded {
        black_box(runner.record(task, MachineKind::Dat, &Progress::default()));
    } else {
        black_box(runner.complete(&task, MachineKind::Dat, None).expect("a continuation"));
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    peak.unwrap_or_default()
}

fn task(file: &File) -> Task {
    let runner = file.runner().expect("the program compiles");
    if file.text() == PARGEN {
        return runner.task(&prompt()).expect("a task");
    }
    // The stop symbol comes first, and the vocabulary has positions enough to count the passes.
    let options = Options { max_new: Some(9_100), stop: Some("a".into()), ..Options::default() };
    runner.task_with(&["a"; 1_000].join(" "), &options).expect("a task")
}

/// Times the questions about a record.
fn questions(text: &str) {
    let file = File::new(text, Arc::default());
    let runner = file.runner().expect("the program compiles");
    let task = task(&file);
    let record = || runner.record(task.clone(), MachineKind::Dat, &Progress::default());
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
        "a step back: all cells at a time",
        (0..=rows)
            .rev()
            .step_by(rows.div_ceil(1_000).max(1))
            .map(Time::new)
            .map(|time| elapsed_of(|| CellId::first(cells).map(|cell| run.state(cell, time)).collect::<Vec<_>>())),
    );
    let all = run.rows().ids().flat_map(|row| CellId::first(cells).map(move |cell| (row, cell)));
    let some: Vec<(RowId, CellId)> = all.step_by((rows * cells).div_ceil(1_000) | 1).collect();
    let question = |&(row, cell): &(RowId, CellId)| elapsed_of(|| matches(program, &run, row, cell));
    report("matches of a cell", some.iter().map(question));
    report(
        "attention of a row",
        run.rows().ids().step_by(rows.div_ceil(50).max(1)).map(|row| elapsed_of(|| attention(program, &run, row))),
    );
    let question = |&(row, cell): &(RowId, CellId)| {
        elapsed_of(|| origin(program, &run, RegisterId::new(row.index() % registers), cell, Time::before(row)))
    };
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

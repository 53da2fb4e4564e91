//! The machines agree on prompts whose cells fill one word of bits, almost one, or several.

use psl_runtime::{Executable, MachineKind, Options};

use crate::common::{random::Random, traced};

/// Compares random programs on prompts of that many cells: the DAT with and without an observer, and the QKVM.
fn check(cells: usize, programs: u64) {
    for seed in 0..programs {
        let mut random = Random::new(seed);
        let executable = Executable::new(random.program());
        let symbols: Vec<&str> = (0..cells).map(|_| random.choose(&["A", "B", "C", "x", "1", "70"])).collect();
        let options = Options { max_new: Some(4), max_passes: Some(20), ..random.options() };
        let task = executable.task(&symbols, &options).unwrap();
        let place = format!("{cells} cells, seed {seed}");
        let (run, trace) = traced(&executable, MachineKind::Dat, &task);
        let (expected, trace_expected) = traced(&executable, MachineKind::Qkvm, &task);
        assert!(run == expected, "{place}: {run:?}, expected {expected:?}");
        assert!(trace == trace_expected, "{place}: traces differ");
        assert!(executable.run(MachineKind::Dat, &task, None) == expected, "{place}, without an observer");
    }
}

#[test]
fn one_cell() {
    check(1, 500);
}

#[test]
fn almost_a_word() {
    check(63, 500);
}

#[test]
fn a_word() {
    check(64, 500);
}

#[test]
fn more_than_a_word() {
    check(65, 500);
}

#[test]
fn several_words() {
    check(129, 200);
}

#[test]
fn many_words() {
    check(1_000, 10);
}

//! The growth of searches and hovers with a program: registers, and holes.
//!
//! `cargo bench -p psl-search --bench growth` measures each in three sizes, of which each is twice the one before.

#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize},
    },
    time::Instant,
};

use common::{Few, registers};

use psl_program::File;
use psl_search::{candidates, fill_file, repair_file};
use psl_syntax::holes::holes;

fn main() {
    let condition = |registers: usize| program(registers, "where ?: mark[N] = B\n");
    let assigned = |holes: usize| program(0, &"where symbol[N] == A: mark[N] = ?\n".repeat(holes));
    let wrong = |registers: usize| program(registers, "where symbol[N] == A: mark[N] = A\n");
    table("hover of a hole, by registers", [2_500, 5_000, 10_000], condition, |file| {
        let hole = holes(&file.checked().tree).into_iter().next().expect("a hole");
        black_box(candidates(file.checked(), hole));
    });
    table("fill one hole, 100 programs, by registers", [1_000, 2_000, 4_000], condition, |file| fill(file, 100));
    table("fill all holes, 1 program, by holes", [25_000, 50_000, 100_000], assigned, |file| fill(file, 1));
    table("repair, 100 programs, by registers", [1_000, 2_000, 4_000], wrong, |file| {
        _ = black_box(repair_file(file, &[], &Few(AtomicUsize::new(100)), &Arc::new(AtomicBool::new(false))));
    });
}

fn fill(file: &File, programs: usize) {
    _ = black_box(fill_file(file, &[], &Few(AtomicUsize::new(programs)), &Arc::new(AtomicBool::new(false))));
}

/// A program with further registers.
fn program(count: usize, productions: &str) -> File {
    let registers = registers(count);
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'{registers}}}\nconstants: {{A, B}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n//@ max-new 1\n//@ test \"A\" => \"B\"\n\
         {productions}"
    );
    File::new(text, Arc::default())
}

/// Prints the median of three times for each size, and its ratio to the one before.
fn table(name: &str, sizes: [usize; 3], program: impl Fn(usize) -> File, run: impl Fn(&File)) {
    println!("{name}");
    let mut before: Option<f64> = None;
    for size in sizes {
        let mut times = [(); 3].map(|()| {
            let file = program(size);
            file.checked();
            let start = Instant::now();
            run(&file);
            start.elapsed().as_secs_f64()
        });
        times.sort_by(f64::total_cmp);
        let [_, median, _] = times;
        let ratio = before.map(|before| format!(", {:.1} times the one before", median / before)).unwrap_or_default();
        println!("  {size:>7}: {:>8.1} ms{ratio}", median * 1_000.0);
        before = Some(median);
    }
}

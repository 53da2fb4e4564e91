//! The growth of time and memory with a program: the cost of each line, in several sizes.
//!
//! `cargo bench -p psl-syntax --bench scaling` measures all shapes, `-- PART OF A NAME` only some.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark may fail by panic")]

mod programs;

use std::{env, fs, hint::black_box, process::Command, time::Instant};

use psl_syntax::{check, format};

type Measured = (&'static str, fn(&str));

const MEASURED: [Measured; 2] =
    [("check", |text| _ = black_box(check(text))), ("format", |text| _ = black_box(format(text)))];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [child, measured, shape, size] = arguments.as_slice()
        && child == "--child"
    {
        return measure(measured, shape, size.parse().expect("a size"));
    }
    let selected = arguments.first().map_or("", String::as_str);
    table("PARGEN again and again", selected, &[1_000, 10_000, 25_000, 100_000]);
    for (shape, _) in programs::SHAPES {
        table(shape, selected, &[6_250, 25_000, 100_000]);
    }
}

/// Prints one line for each size, and the exponent of the growth of time with size. Each size is measured in a
/// separate process, so that its memory peak is separate.
fn table(shape: &str, selected: &str, sizes: &[u32]) {
    if !shape.contains(selected) {
        return;
    }
    for (measured, _) in MEASURED {
        println!("{measured}: {shape}");
        let mut times = Vec::new();
        for &size in sizes {
            let child = Command::new(env::current_exe().expect("this program"))
                .args(["--child", measured, shape, &size.to_string()])
                .output()
                .expect("this program starts");
            let output = String::from_utf8_lossy(&child.stdout);
            let numbers: Vec<f64> = output.split_whitespace().map(|number| number.parse().expect("a number")).collect();
            let [bytes, seconds, memory] = numbers.try_into().expect("three numbers");
            let each = f64::from(size);
            println!(
                "  {size:>7}: {:>7.0} kB {:>8.2} ms {:>6.0} ns each, peak {:>7.0} kB {:>5.0} bytes each",
                bytes / 1e3,
                seconds * 1e3,
                seconds * 1e9 / each,
                memory / 1e3,
                memory / each,
            );
            times.push((each, seconds));
        }
        if let [first, .., last] = times[..] {
            println!(
                "  time grows with the power {:.2} of the size",
                (last.1 / first.1).ln() / (last.0 / first.0).ln()
            );
        }
    }
}

/// Prints the length of the text in bytes, the minimum time in seconds, and the memory peak in addition to the text
/// in bytes.
fn measure(measured: &str, shape: &str, size: usize) {
    let shape = programs::SHAPES.iter().find(|(name, _)| *name == shape);
    let text = shape.map_or_else(|| programs::pargen(size), |(_, make)| make(size));
    let (_, run) = MEASURED.iter().find(|(name, _)| *name == measured).expect("something to measure");
    // Resets the memory peak of the process.
    _ = fs::write("/proc/self/clear_refs", "5");
    let before = peak();
    let time = || {
        let start = Instant::now();
        run(&text);
        start.elapsed().as_secs_f64()
    };
    let first = time();
    let memory = peak() - before;
    let runs = if first < 0.05 { 40 } else { 5 };
    let seconds = (0..runs).map(|_| time()).fold(first, f64::min);
    println!("{} {seconds} {memory}", text.len());
}

/// The memory peak of this process in bytes, or 0 if the system does not report it.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or_default() * 1024
}

//! The speed of the front end.

#![allow(missing_docs, reason = "criterion_group! makes undocumented functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use psl_syntax::{check, format, parse, schedule::schedule};

const PARGEN: &str = include_str!("../../examples/pargen.psl");

fn front_end(criterion: &mut Criterion) {
    criterion.bench_function("parse PARGEN", |bench| bench.iter(|| parse(black_box(PARGEN))));
    criterion.bench_function("check PARGEN", |bench| bench.iter(|| check(black_box(PARGEN))));

    let program = check(PARGEN).analysis.program;
    criterion.bench_function("schedule PARGEN", |bench| bench.iter(|| schedule(black_box(&program), None)));

    let productions = &PARGEN[PARGEN.find("# P0:").unwrap_or_default()..];
    let large = format!("{PARGEN}{}", productions.repeat(1_000_000 / productions.len()));
    let mut group = criterion.benchmark_group("1 MB");
    group.throughput(Throughput::Bytes(large.len() as u64));
    group.sample_size(20);
    group.bench_function("parse", |bench| bench.iter(|| parse(black_box(&large))));
    group.bench_function("check", |bench| bench.iter(|| check(black_box(&large))));
    let program = check(&large).analysis.program;
    group.bench_function("schedule", |bench| bench.iter(|| schedule(black_box(&program), None)));
    group.finish();

    // Each copy gets new registers. There are at least 25,000 lines.
    let fresh = |copy: usize| productions.replace("[n]", &format!("_{copy}[n]")).replace("[N]", &format!("_{copy}[N]"));
    let lines = productions.lines().count();
    let formatted = format!("{PARGEN}{}", (0..=25_000 / lines).map(fresh).collect::<String>());
    let formatted = psl_syntax::format(&formatted).map_or(formatted, |formatted| formatted.text);
    let scatter = |line: &str| {
        if line.trim_start().starts_with(['#', '/']) {
            format!("\t{line}\n\n\n")
        } else {
            format!("{}\n", line.replace("    ", "\t").replace(" == ", "==").replace(" and ", "\nand\n"))
        }
    };
    let scattered = formatted.lines().map(scatter).collect::<String>();
    let mut group = criterion.benchmark_group("25,000 lines");
    group.sample_size(20);
    for (name, text) in [("already formatted", formatted), ("every line changed", scattered)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("format, {name}"), |bench| bench.iter(|| format(black_box(&text))));
    }
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);

//! How long the front end takes.

#![allow(missing_docs, reason = "criterion_group! makes undocumented functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use psl_syntax::{check, parse};

const PARGEN: &str = include_str!("../../tests/programs/pargen.psl");

fn front_end(criterion: &mut Criterion) {
    criterion.bench_function("parse PARGEN", |bench| bench.iter(|| parse(black_box(PARGEN))));
    criterion.bench_function("check PARGEN", |bench| bench.iter(|| check(black_box(PARGEN))));

    let productions = &PARGEN[PARGEN.find("# P0:").unwrap_or_default()..];
    let large = format!("{PARGEN}{}", productions.repeat(1_000_000 / productions.len()));
    let mut group = criterion.benchmark_group("1 MB");
    group.throughput(Throughput::Bytes(large.len() as u64));
    group.sample_size(20);
    group.bench_function("parse", |bench| bench.iter(|| parse(black_box(&large))));
    group.bench_function("check", |bench| bench.iter(|| check(black_box(&large))));
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);

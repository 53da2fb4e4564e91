//! The seeds of random cases.
//!
//! `CASES=n` tries n cases. `SEED=n` sets the first seed.

use std::{env, ops::Range};

const DEFAULT: u64 = 200;

pub fn seeds() -> Range<u64> {
    let number = |name, default| env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let first = number("SEED", 0);
    first..first + number("CASES", DEFAULT)
}

/// Asserts that the random cases are varied. A few cases, set by `CASES`, need not be.
pub fn enough(count: usize, least: usize, what: &str) {
    let Range { start, end } = seeds();
    assert!(count >= least || end - start < DEFAULT, "{count} {what}, expected at least {least}");
}

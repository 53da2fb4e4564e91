//! Compares the answers of this crate with the cases of `tests/markers`, one test each. `cargo test -p psl-ide --test
//! markers hover` runs the cases about hovers.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../../../tests/cases/mod.rs"]
mod cases;
mod page;
mod runs;
mod session;

use std::process::ExitCode;

use cases::{case::cases, golden};
use libtest_mimic::{Arguments, Trial};
use session::Session;

/// Minimum number of cases.
const AT_LEAST: usize = 150;

fn main() -> ExitCode {
    let cases = cases().into_iter().filter(|case| case.in_process);
    let trials: Vec<Trial> = cases
        .map(|case| {
            let name = case.name.clone();
            Trial::test(name, move || Ok(golden::compare(&case.path, &Session::new(&case).answered())?))
        })
        .collect();
    assert!(trials.len() >= AT_LEAST, "there are only {} cases", trials.len());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

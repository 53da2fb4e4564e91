//! Runs all tests of a file in parallel.

use std::sync::atomic::{AtomicBool, Ordering};

use psl_program::{File, TestReport, run_test};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Runs all tests of a file. `None` if it does not compile or `cancelled` is set.
pub fn run_tests(file: &File, cancelled: &AtomicBool) -> Option<TestReport> {
    run_tests_unless(file, cancelled, cancelled)
}

/// Like [`run_tests`], but once `stopped` is set, no further test starts.
pub fn run_tests_unless(file: &File, cancelled: &AtomicBool, stopped: &AtomicBool) -> Option<TestReport> {
    let count = file.program().tests.len();
    let run = |index| if is_set(stopped) { None } else { run_test(file, index, cancelled) };
    let runs = (0..count).into_par_iter().map(run).collect::<Option<Vec<_>>>()?;
    (!is_set(cancelled) && !is_set(stopped)).then(|| TestReport::new(runs))
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

//! All tests of a file, side by side.

use std::sync::atomic::{AtomicBool, Ordering};

use psl_ide::{File, TestReport, run_test};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Runs all tests of a file; nothing where it does not compile or `cancelled` was set meanwhile.
pub fn run_tests(file: &File, cancelled: &AtomicBool) -> Option<TestReport> {
    let count = file.checked().analysis.program.tests.len();
    let runs = (0..count).into_par_iter().map(|index| run_test(file, index, cancelled)).collect::<Option<Vec<_>>>()?;
    (!cancelled.load(Ordering::Relaxed)).then(|| TestReport::new(runs))
}

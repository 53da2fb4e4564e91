//! The threads of `--jobs`.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// Starts as many threads as `jobs`, or as cores if there are fewer, because more threads than cores take memory and no
/// less time.
pub fn threads(jobs: Option<usize>) -> Result<ThreadPool, Failure> {
    let cores = available_parallelism().map_or(1, usize::from);
    let count = jobs.filter(|jobs| *jobs > 0).unwrap_or(cores).min(cores);
    ThreadPoolBuilder::new().num_threads(count).build().map_err(Failure::of)
}

#[cfg(test)]
mod tests {
    use std::thread::available_parallelism;

    use super::threads;

    #[test]
    fn there_are_at_most_as_many_threads_as_cores() {
        let cores = available_parallelism().map_or(1, usize::from);
        let started = |jobs| threads(jobs).map_or(0, |pool| pool.current_num_threads());
        let jobs = [None, Some(0), Some(1), Some(cores), Some(cores + 1), Some(usize::MAX)];
        assert_eq!(jobs.map(started), [cores, cores, 1, cores, cores, cores]);
    }
}

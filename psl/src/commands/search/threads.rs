//! The threads of a search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use psl_host::endings::on_interrupt;
use psl_search::Workers;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::{
    commands::jobs,
    failure::Failure,
    output::progress::{Progress, Unit},
};

/// The threads of a search, which ends at a time limit or on Ctrl-C.
pub struct Threads {
    pool: rayon::ThreadPool,
    start: Instant,
    limit: Option<Duration>,
    interrupted: Arc<AtomicBool>,
    progress: Progress,
}

impl Threads {
    /// Starts the threads for `jobs`, and the time. `items` is the name of what they try, in the plural.
    pub fn new(jobs: Option<usize>, seconds: Option<u64>, items: &'static str) -> Result<Self, Failure> {
        let pool = jobs::threads(jobs)?;
        let (start, limit) = (Instant::now(), seconds.map(Duration::from_secs));
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        on_interrupt(move || flag.store(true, Ordering::Relaxed)).map_err(|error| Failure::interrupts(&error))?;
        if let Some(limit) = limit {
            let flag = Arc::clone(&interrupted);
            // A run does not look at the clock.
            thread::spawn(move || {
                thread::sleep(limit);
                flag.store(true, Ordering::Relaxed);
            });
        }
        let progress = Progress::new(Unit::Items(items), None);
        Ok(Self { pool, start, limit, interrupted, progress })
    }

    /// The flag that Ctrl-C and the end of the time set.
    pub fn interrupted(&self) -> &Arc<AtomicBool> {
        &self.interrupted
    }

    /// The time since the start, in seconds.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

impl Workers for Threads {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        self.pool.install(|| (0..count).into_par_iter().for_each(job));
    }

    fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    fn tried(&self) {
        self.progress.item(1);
    }
}

//! A limit for searches, and long programs.

use std::{
    fmt::Write,
    sync::atomic::{AtomicUsize, Ordering},
};

use psl_search::Workers;

/// One thread, which stops after a number of programs.
pub struct Few(pub AtomicUsize);

impl Workers for Few {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn tried(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// So many entries after others in a declaration.
pub fn registers(count: usize) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| _ = write!(text, ", r{number}: 'r{number}'"));
    text
}

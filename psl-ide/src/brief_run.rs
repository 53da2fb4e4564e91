//! Runs that nobody asked for, such as those of tests while a program is edited: they are given up when they take long.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use psl_runtime::{MachineKind, Task, Update};

use crate::runner::{Continuation, RunFailure, Runner};

/// A run is given up after so many updates, one a cell and layer: well under a second of work. `psl test` runs tests whole.
const MAX_UPDATES: usize = 300_000;

/// Runs a task, telling `observe` of every cell of every layer; nothing where it would take long, or `cancelled` was set meanwhile.
pub fn run_briefly(
    runner: &Runner,
    mut task: Task,
    machine: MachineKind,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(&Update),
) -> Option<Result<Continuation, RunFailure>> {
    let given_up = Arc::new(AtomicBool::new(false));
    task.limits.cancelled = Some(Arc::clone(&given_up));
    let mut updates = 0;
    let mut observer = |update: &Update| {
        updates += 1;
        if updates > MAX_UPDATES || cancelled.load(Ordering::Relaxed) {
            given_up.store(true, Ordering::Relaxed);
        }
        observe(update);
    };
    let result = runner.complete(&task, machine, Some(&mut observer));
    (!given_up.load(Ordering::Relaxed)).then_some(result)
}

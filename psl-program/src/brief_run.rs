//! Background runs, such as the tests of a program that is being edited. A run that takes too long is stopped.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use psl_runtime::{MachineKind, Task, Update};

use crate::runner::{Continuation, RunFailure, Runner};

/// Maximum number of updates, one per cell and layer: well under a second of work. `psl test` has no such limit.
const MAX_UPDATES: usize = 300_000;

/// Runs a task and passes every cell of every layer to `observe`. Returns `None` if the run takes too long or `cancelled` is
/// set.
pub fn run_briefly(
    runner: &Runner,
    mut task: Task,
    machine: MachineKind,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(&Update),
) -> Option<Result<Continuation, RunFailure>> {
    let stopped = Arc::new(AtomicBool::new(false));
    task.limits.cancelled = vec![Arc::clone(&stopped)];
    let mut updates = 0;
    let mut observer = |update: &Update| {
        updates += 1;
        if updates > MAX_UPDATES || cancelled.load(Ordering::Relaxed) {
            stopped.store(true, Ordering::Relaxed);
        }
        observe(update);
    };
    let result = runner.complete(&task, machine, Some(&mut observer));
    (!stopped.load(Ordering::Relaxed)).then_some(result)
}

//! Background runs, such as the tests of a program that is being edited. A run that takes too long is stopped.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use psl_runtime::{Continuation, MachineKind, RunFailure, Task, Update};

use crate::runner::Runner;

/// Maximum number of updates, one per cell and layer: well under a second of work. `psl test` has no such limit.
const MAX_UPDATES: usize = 300_000;

/// Runs a task and passes every cell of every layer to `observe`. Returns `None` if the run takes too long or
/// `cancelled` is set.
pub fn run_briefly(
    runner: &Runner,
    task: &Task,
    machine: MachineKind,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(&Update),
) -> Option<Result<Continuation, RunFailure>> {
    let (mut updates, mut stopped) = (0, false);
    let mut observer = |update: &Update| {
        updates += 1;
        stopped = updates > MAX_UPDATES || cancelled.load(Ordering::Relaxed);
        if stopped {
            return ControlFlow::Break(());
        }
        observe(update);
        ControlFlow::Continue(())
    };
    let result = runner.complete(task, machine, Some(&mut observer));
    (!stopped).then_some(result)
}

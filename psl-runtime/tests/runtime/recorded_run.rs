//! Questions about a recorded run, against brute force over the whole trace: random programs and prompts on every
//! machine.
//!
//! `CASES=n` tries n cases (default: 200), and as many with cells at rest. `SEED=n` sets the first seed.

mod changed;
mod counting;
mod difference;
mod origin;
mod questions;
mod recording;

use std::{collections::HashMap, ops::Range};

use psl_runtime::{
    CellId, Change, Continuation, Executable, FailureCause, MachineKind, Observer, Run, RunError, RunFailure, Task,
    Update,
    record::{RecordedRun, Recorder, Row, RowId},
};

use crate::common::{
    self,
    full_trace::FullTrace,
    seeds::{enough, seeds},
};

/// A random program and prompt, recorded on one machine, with the trace of another run.
struct Case {
    place: String,
    executable: Executable,
    task: Task,
    recorded: RecordedRun,
    trace: FullTrace,
    /// The indices of the rows.
    rows: HashMap<Row, RowId>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let (executable, task) = common::random_task(seed);
        let machine = MachineKind::ALL[(seed % 4) as usize];
        let (trace, task) = traced(&executable, task, machine);
        let recorded = record(&executable, &task, machine);
        let rows = recorded.rows().iter().cloned().zip(recorded.rows().ids()).collect();
        Self { place: format!("seed {seed}, {}", machine.name()), executable, task, recorded, trace, rows }
    }

    /// Whether some cell lacks a row.
    fn rests(&self) -> bool {
        let lacks = |cell| self.recorded.rows().ids().any(|row| !self.recorded.has_row(row, cell));
        CellId::first(self.recorded.cells()).any(lacks)
    }

    /// The index of an update's row.
    fn row(&self, update: &Update) -> RowId {
        self.rows[&Row { layer: update.layer, pass: update.pass.clone() }]
    }
}

/// The whole trace of a task.
fn traced(executable: &Executable, mut task: Task, machine: MachineKind) -> (FullTrace, Task) {
    task.limits.recompute = false;
    let (run, trace) = common::traced(executable, machine, &task);
    let trace = FullTrace::new(&task, &executable.registers, run, trace);
    (trace, task)
}

fn record(executable: &Executable, task: &Task, machine: MachineKind) -> RecordedRun {
    recorded(executable, task, &[], |task, observer| executable.run(machine, task, Some(observer)))
}

/// The record of a run with changes on the PSM.
fn record_changed(executable: &Executable, task: &Task, changes: &[Change]) -> RecordedRun {
    recorded(executable, task, changes, |task, observer| {
        executable.run_changed(task, changes, Some(observer)).map(|(run, _)| run)
    })
}

fn recorded(
    executable: &Executable,
    task: &Task,
    changes: &[Change],
    run: impl FnOnce(&Task, Observer<'_>) -> Result<Run, RunError>,
) -> RecordedRun {
    let mut task = task.clone();
    // Cells that are computed again would have no steps.
    task.limits.recompute = false;
    let mut recorder = Recorder::new(executable, &task, RecordedRun::MOST);
    let run = run(&task, &mut |update| recorder.read(update));
    let outcome = run.map(|run| Continuation::new(&run, &task.vocabulary)).map_err(|error| RunFailure {
        message: error.message(&executable.registers, &task.vocabulary),
        cause: FailureCause::Run(error),
    });
    recorder.finish(changes, outcome)
}

/// Random cases, then as many with cells at rest, which few random cases have.
fn cases() -> impl Iterator<Item = Case> {
    let Range { start, end } = seeds();
    (start..end).map(Case::new).chain((start..).map(Case::new).filter(Case::rests).take((end - start) as usize))
}

//! Questions about a recorded run, against brute force over the whole trace: random programs and prompts on every
//! machine.
//!
//! `CASES=n` tries n cases (default: 200), and as many with cells at rest. `SEED=n` sets the first seed.

mod changed;
mod difference;
mod origin;
mod questions;
mod recording;

use std::{collections::HashMap, ops::Range};

use psl_program::{Progress, Runner};
use psl_runtime::{
    CellId, Executable, MachineKind, Task, Update,
    record::{RecordedRun, Row, RowId},
};

use crate::{
    common,
    full_trace::FullTrace,
    seeds::{enough, seeds},
};

/// A random program and prompt, recorded on one machine, with the trace of another run.
struct Case {
    place: String,
    runner: Runner,
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
        let (runner, trace, task) = traced(executable, task, machine);
        let recorded = record(&runner, &task, machine);
        let rows = recorded.rows().iter().cloned().zip(recorded.rows().ids()).collect();
        Self { place: format!("seed {seed}, {}", machine.name()), runner, task, recorded, trace, rows }
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
fn traced(executable: Executable, mut task: Task, machine: MachineKind) -> (Runner, FullTrace, Task) {
    task.limits.recompute = false;
    let (run, trace) = common::traced(&executable, machine, &task);
    let trace = FullTrace::new(&task, &executable.registers, run, trace);
    (Runner::of(executable), trace, task)
}

fn record(runner: &Runner, task: &Task, machine: MachineKind) -> RecordedRun {
    runner.record(task.clone(), machine, &Progress::default())
}

/// Random cases, then as many with cells at rest, which few random cases have.
fn cases() -> impl Iterator<Item = Case> {
    let Range { start, end } = seeds();
    (start..end).map(Case::new).chain((start..).map(Case::new).filter(Case::rests).take((end - start) as usize))
}

//! Breakpoints of the debugger, against brute force over the whole trace of random programs and prompts on every
//! machine.
//!
//! `CASES=n` tries n cases (default: 200). `SEED=n` sets the first seed.

mod conditions;
mod faults;
mod stops;
mod words;

use std::sync::{Arc, atomic::AtomicBool};

use psl_debug::{BreakOn, Breakpoint, Direction, Moment, StepPlace, StopSearch, Timeline};
use psl_program::{File, Progress, Runner};
use psl_runtime::{
    CellId, Executable, MachineKind, Task, Update,
    record::{RecordedRun, Row},
};
use psl_syntax::{Program, program::ProductionId};

use crate::common::{self, full_trace::FullTrace, seeds::seeds};

/// A random program and prompt, recorded on one machine, with the trace of another run.
struct Case {
    place: String,
    executable: Executable,
    task: Task,
    run: RecordedRun,
    trace: FullTrace,
}

impl Case {
    fn new(seed: u64) -> Self {
        let (executable, mut task) = common::random_task(seed);
        task.limits.recompute = false;
        let machine = MachineKind::ALL[(seed % 4) as usize];
        let (run, trace) = common::traced(&executable, machine, &task);
        let trace = FullTrace::new(&task, &executable.registers, run, trace);
        let runner = Runner::of(executable.clone());
        let run = runner.record(task.clone(), machine, &Progress::default());
        let place = format!("seed {seed}, {}", machine.name());
        assert_eq!(run.outcome().is_ok(), trace.run.is_ok(), "{place}");
        Self { place, executable, task, run, trace }
    }

    fn program(&self) -> &Program {
        &self.executable.program
    }

    /// A file with the program's declarations, to read conditions by.
    fn file(&self) -> File {
        let Program { registers, constants, .. } = self.program();
        let registers = registers.iter().map(|register| format!("{}: {:?}", register.name, register.short));
        let constants = constants.iter().map(|constant| format!("{:?}: {:?}", constant.name, constant.value));
        let (registers, constants) =
            (registers.collect::<Vec<_>>().join(", "), constants.collect::<Vec<_>>().join(", "));
        let text = format!(
            "registers: {{{registers}}}\nconstants: {{{constants}}}\nwhere symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n"
        );
        let file = File::new(text, Arc::default());
        file.runner().expect("a program that compiles");
        file
    }

    fn search<'a>(&'a self, breakpoints: &'a [Breakpoint], focus: CellId, cancelled: &'a AtomicBool) -> StopSearch<'a> {
        search(self.program(), &self.run, breakpoints, focus, cancelled)
    }

    /// All stops in order: the same forward and backward.
    fn stops(&self, breakpoint: &Breakpoint, focus: CellId) -> Vec<Stop> {
        let cancelled = AtomicBool::new(false);
        let breakpoints = [breakpoint.clone()];
        let search = self.search(&breakpoints, focus, &cancelled);
        let timeline = Timeline::new(&self.run);
        let walk = |from, direction| {
            let mut moments: Vec<Moment> = Vec::new();
            while let Some(hit) = search.next_stop(moments.last().copied().or(Some(from)), direction).stop {
                assert_eq!(hit.ids, [breakpoint.id], "{}", self.place);
                moments.push(hit.moment);
            }
            moments
        };
        let mut backward = walk(timeline.end(), Direction::Backward);
        backward.reverse();
        // The walk forward leaves its start.
        let forward = walk(timeline.start(), Direction::Forward);
        let from_start = backward.iter().filter(|&&moment| moment > timeline.start());
        assert!(forward.iter().eq(from_start), "{}, {breakpoint:?}: {forward:?} {backward:?}", self.place);
        backward.into_iter().map(|moment| stop(&self.run, moment)).collect()
    }
}

/// The step, the row and the cell of a stop at a layer.
type Stop = (usize, Row, CellId);

fn stop(run: &RecordedRun, moment: Moment) -> Stop {
    match Timeline::new(run).place(moment) {
        StepPlace::Layer(row) => (moment.step, row, moment.cell),
        place => panic!("{place:?}"),
    }
}

fn stop_of(update: &Update) -> Stop {
    (update.step, Row { layer: update.layer, pass: update.pass.clone() }, update.cell)
}

fn search<'a>(
    program: &'a Program,
    run: &'a RecordedRun,
    breakpoints: &'a [Breakpoint],
    focus: CellId,
    cancelled: &'a AtomicBool,
) -> StopSearch<'a> {
    StopSearch { program, run, gold: None, disagreement: None, breakpoints, focus, cancelled }
}

fn breakpoint(on: BreakOn) -> Breakpoint {
    Breakpoint { id: 7, on, condition: None, hits: None, log: None }
}

/// All moments of a layer.
fn everywhere(layer: ProductionId) -> BreakOn {
    BreakOn::Layer { layer, everywhere: true }
}

fn cases() -> impl Iterator<Item = Case> {
    seeds().map(Case::new)
}

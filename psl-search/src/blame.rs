//! The layers that made a wrong symbol, or could have prevented it.

use std::collections::{BTreeSet, VecDeque};

use psl_program::{Progress, Runner};
use psl_runtime::{
    MachineKind, Task,
    record::{RecordedRun, Time, TimedRegister, last_write},
};
use psl_syntax::{
    Program,
    index::IndexVec,
    program::{Cell, CellRegister, Condition, Operand, Production, ProductionId, RegisterId},
};

/// The most registers of cells that are followed back.
const MOST: usize = 20_000;

/// The parts of a program that made a wrong symbol, or could have prevented it.
#[derive(Debug, Default)]
pub struct Blame {
    /// For each layer that wrote a value that led to the symbol, or failed to write one that would have replaced it:
    /// its distance from the symbol in writes.
    pub layers: IndexVec<ProductionId, Option<usize>>,
    /// Whether each layer wrote a value that led to the symbol.
    pub wrote: IndexVec<ProductionId, bool>,
    /// The registers whose values led to the symbol, or would have been needed.
    pub registers: BTreeSet<RegisterId>,
}

/// Follows the symbol with an index in the continuation of a task back to its causes.
pub fn blame(runner: &Runner, task: &Task, symbol: usize) -> Blame {
    let program = &runner.executable().program;
    let productions = program.productions();
    let none = Blame {
        layers: vec![None; productions.len()].into(),
        wrote: vec![false; productions.len()].into(),
        registers: BTreeSet::new(),
    };
    let mut task = task.clone();
    if task.answer.is_none() {
        task.limits.max_new = symbol + 1;
    }
    let run = runner.record(task, MachineKind::Dat, &Progress::default());
    let Some(output) = run.output() else { return none };
    let cell = run.cell_of_symbol(symbol).min(run.last_cell());
    let mut walk = Walk {
        program,
        productions: &productions,
        run: &run,
        found: BTreeSet::new(),
        next: VecDeque::new(),
        lacking: VecDeque::new(),
        blamed: none,
    };
    walk.follow(Some((output, cell, run.end())), 0);
    while let Some((register, distance)) = walk.next.pop_front() {
        walk.step(register, distance);
        if walk.found.len() > MOST {
            break;
        }
    }
    walk.blame_in_any_cell();
    walk.blamed
}

struct Walk<'w> {
    program: &'w Program,
    productions: &'w IndexVec<ProductionId, &'w Production>,
    run: &'w RecordedRun,
    found: BTreeSet<TimedRegister>,
    next: VecDeque<(TimedRegister, usize)>,
    /// The registers of cells n that a layer which did not write lacked, with their distance.
    lacking: VecDeque<(RegisterId, usize)>,
    blamed: Blame,
}

impl Walk<'_> {
    fn follow(&mut self, register: Option<TimedRegister>, distance: usize) {
        if let Some(register) = register.filter(|register| self.found.insert(*register)) {
            self.blamed.registers.insert(register.0);
            self.next.push_back((register, distance));
        }
    }

    fn blame(&mut self, layer: ProductionId, distance: usize) {
        let slot = &mut self.blamed.layers[layer];
        *slot = Some(slot.map_or(distance, |known| known.min(distance)));
    }

    /// Blames the layer that last wrote a register, and those that did not write it after that.
    fn step(&mut self, (register, cell, time): TimedRegister, distance: usize) {
        let Self { productions, run, .. } = *self;
        let last = last_write(run, register, cell, time);
        let since = last.map_or(Time::START, |write| Time::before(write.row));
        let rows = run.rows_of_cell(cell).unwrap_or_default();
        for row in rows.iter().copied().filter(|row| (since..time).contains(&Time::before(*row))) {
            let layer = run.rows()[row].layer;
            let production = productions[layer];
            let Some(assignment) = production.assignments.iter().find(|it| it.target == register) else {
                continue;
            };
            self.blame(layer, distance);
            let attends = last.filter(|write| write.row == row).map(|write| write.attends);
            self.blamed.wrote[layer] |= attends.is_some();
            let mut read = |place: &CellRegister| {
                let source = match (place.cell, attends) {
                    (Cell::Updated, _) => Some(cell),
                    (Cell::Source, attends) => attends,
                };
                if source.is_none() {
                    self.lacking.push_back((place.register, distance + 1));
                }
                let timed = source.and_then(|n| Some((place.register, n, run.read_time(row, cell, n)?)));
                self.follow(timed, distance + 1);
            };
            production.conditions.iter().flat_map(Condition::registers).for_each(|place| read(&place));
            if let (Operand::Register(place, _), Some(_)) = (&assignment.source, attends) {
                read(place);
            }
        }
        if let Some(before) = run.copied(cell).filter(|_| last.is_none() && !self.is_position(register)) {
            self.follow(Some((register, before, run.end())), distance + 1);
        }
    }

    /// Blames the layers that could have written what another layer lacked, in whatever cell.
    fn blame_in_any_cell(&mut self) {
        let mut known = BTreeSet::new();
        while let Some((register, distance)) = self.lacking.pop_front() {
            if !known.insert(register) {
                continue;
            }
            self.blamed.registers.insert(register);
            for (layer, production) in self.productions.ids().zip(self.productions) {
                if production.assignments.iter().any(|it| it.target == register) {
                    self.blame(layer, distance);
                    let reads = production.conditions.iter().flat_map(Condition::registers);
                    self.lacking.extend(reads.map(|read| (read.register, distance + 1)));
                }
            }
        }
    }

    fn is_position(&self, register: RegisterId) -> bool {
        self.program.roles.position == Some(register)
    }
}

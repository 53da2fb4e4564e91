//! The comparison of two runs, and runs with values of the other one.

use std::sync::{Arc, atomic::AtomicBool};

use psl_runtime::{
    CellId, Change, ChangeTime, Continuation, RunFailure, Task,
    record::{RecordedRun, Row, RowId, Time},
};
use psl_syntax::program::RegisterId;
use thiserror::Error;

use super::{
    alignment::{Alignment, NotAligned},
    place::PatchPlace,
    score::{NoScore, Score},
};
use crate::{runner::Runner, table_selection::register};

/// The places of a base run at which another run, the donor, has other values.
pub struct Patching<'r> {
    runner: &'r Runner,
    task: Task,
    score: Score,
    /// The scores of the base run and of the donor.
    scores: [Vec<String>; 2],
    rows: Vec<Row>,
    cells: Vec<CellId>,
    places: usize,
    differing: Vec<PatchPlace>,
}

/// The places to compare, and what patches are judged by.
#[derive(Clone, Debug, Default)]
pub struct PatchOptions {
    /// The cells of the prompts that correspond. By default, those with the same number.
    pub alignment: Option<Alignment>,
    /// Whether generated cells are compared too, one after another.
    pub generated: bool,
    /// The part of a run that is compared.
    pub score: Score,
}

/// A patched run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    /// The continuation.
    pub continuation: Continuation,
    /// The words of the score: symbols, or the value of a register. Empty if the continuation lacks the symbol.
    pub score: Vec<String>,
    /// The number of symbols or values of the score that differ from those of the base run.
    pub changes: usize,
    /// Whether the score is that of the donor, and not that of the base run.
    pub restores: bool,
}

/// Runs that cannot be patched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotPatched {
    /// The cells do not correspond.
    #[error(transparent)]
    NotAligned(#[from] NotAligned),
    /// The runs do not have the score.
    #[error(transparent)]
    NoScore(#[from] NoScore),
    /// A run has no continuation.
    #[error("{}", .0.message)]
    Failed(RunFailure),
}

impl<'r> Patching<'r> {
    /// Compares two runs of a program. `task` is that of the base run.
    ///
    /// # Errors
    ///
    /// Fails if a run failed, for prompts whose cells do not correspond, and for a score that the runs do not have.
    pub fn new(
        runner: &'r Runner,
        task: Task,
        base: &RecordedRun,
        donor: &RecordedRun,
        options: &PatchOptions,
    ) -> Result<Self, NotPatched> {
        let outcome = |run: &'_ RecordedRun| run.outcome().clone().map_err(NotPatched::Failed);
        let outcomes = [outcome(base)?, outcome(donor)?];
        options.score.check(runner, outcomes.each_ref())?;
        let aligned = Alignment::pairs(options.alignment.as_ref(), base.prompt_cells(), donor.prompt_cells())?;
        let words = |run: &RecordedRun, continuation: &Continuation| {
            options.score.words(continuation, |name| final_value(runner, run, name))
        };
        let [of_base, of_donor] = &outcomes;
        let scores = [words(base, of_base), words(donor, of_donor)];
        let score = options.score.clone();
        let (rows, cells) = (Vec::new(), Vec::new());
        let mut patching = Self { runner, task, score, scores, rows, cells, places: 0, differing: Vec::new() };
        patching.compare(base, donor, 0, &aligned);
        if options.generated {
            for step in 1..base.steps().min(donor.steps()) {
                let cell = |run: &RecordedRun| run.cells_of_step(step).start;
                patching.compare(base, donor, step, &[(cell(base), cell(donor))]);
            }
        }
        patching.rows.sort_by(|left, right| base.order(left, right));
        patching.rows.dedup();
        patching.cells.sort_unstable();
        Ok(patching)
    }

    /// Compares pairs of cells of a step at each of its rows.
    fn compare(&mut self, base: &RecordedRun, donor: &RecordedRun, step: usize, pairs: &[(CellId, CellId)]) {
        let runner = self.runner;
        let registers = &runner.executable().registers;
        self.cells.extend(pairs.iter().map(|(cell, _)| *cell));
        for &row in base.rows_of_step(step) {
            self.rows.push(base.rows()[row].clone());
            for &(cell, of_donor) in pairs {
                let time = donor_time(&base.rows()[row], donor, of_donor);
                self.places += registers.len();
                for register in (0..registers.len()).map(RegisterId::new) {
                    // The positions tell cells apart.
                    if registers.roles.position == Some(register) {
                        continue;
                    }
                    let base_value = text(base, register, cell, Time::after(row));
                    let donor_value = text(donor, register, of_donor, time);
                    if base_value != donor_value {
                        let value = donor_value.map(|value| self.task.add_value(value));
                        self.differing.push(PatchPlace {
                            row: base.rows()[row].clone(),
                            cell,
                            register,
                            base: base_value.map(str::to_owned),
                            donor: donor_value.map(str::to_owned),
                            value,
                        });
                    }
                }
            }
        }
    }

    /// The rows of the base run that were compared, in program order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The cells of the base run that were compared, in order.
    pub fn cells(&self) -> &[CellId] {
        &self.cells
    }

    /// The number of all places: rows, cells and registers that were compared.
    pub const fn places(&self) -> usize {
        self.places
    }

    /// The places with different values, in the order of the rows, then of the cells and registers. A patch at any
    /// other place changes nothing.
    pub fn differing(&self) -> &[PatchPlace] {
        &self.differing
    }

    /// The part of a run that is compared.
    pub const fn score(&self) -> &Score {
        &self.score
    }

    /// The scores of the base run and of the donor. If they are equal, no patch restores the donor's.
    pub const fn scores(&self) -> &[Vec<String>; 2] {
        &self.scores
    }

    /// Completes the prompt of the base run with the donor's values at these places.
    ///
    /// # Errors
    ///
    /// The reason why the run fails.
    pub fn patched<'p>(
        &self,
        places: impl IntoIterator<Item = &'p PatchPlace>,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Patched, RunFailure> {
        let change = |place: &PatchPlace| Change {
            at: ChangeTime::After(place.row.layer),
            pass: Some(place.row.pass.clone()),
            cell: place.cell,
            register: place.register,
            value: place.value,
        };
        let changes: Vec<Change> = places.into_iter().map(change).collect();
        let mut task = self.task.clone();
        task.limits.cancelled = vec![Arc::clone(cancelled)];
        let (run, _) = self.runner.run_changed(&task, &changes, None)?;
        let continuation = Continuation::new(&run, &task.vocabulary);
        let score = self.score.words(&continuation, |name| {
            let last = run.states.get(task.input.cells.len().wrapping_sub(1));
            let value = register(self.runner, name).ok().and_then(|it| last?.get(it.index()).copied().flatten());
            task.vocabulary.show(value).to_owned()
        });
        let [base, donor] = &self.scores;
        let shared = score.iter().zip(base).filter(|(left, right)| left == right).count();
        let changes = score.len().max(base.len()) - shared;
        Ok(Patched { continuation, changes, restores: score == *donor && score != *base, score })
    }
}

fn text(run: &RecordedRun, register: RegisterId, cell: CellId, time: Time) -> Option<&str> {
    run.vocabulary().text(run.value(register, cell, time)?)
}

/// The value of a register of the prompt's last cell after the last layer, as shown.
fn final_value(runner: &Runner, run: &RecordedRun, name: &str) -> String {
    let cell = run.cells_of_step(0).end.before();
    let value = register(runner, name).ok().and_then(|it| run.value(it, cell?, run.end()));
    run.vocabulary().show(value).to_owned()
}

/// The time after a row in a cell of the donor: of the same layer, in its last passes if it took fewer.
fn donor_time(row: &Row, donor: &RecordedRun, cell: CellId) -> Time {
    let same = donor.find(row).filter(|row| donor.has_row(*row, cell));
    let found: Option<RowId> = same.or_else(|| donor.last_pass(row, cell));
    found.map_or(Time::START, Time::after)
}

//! The run of a prompt that a smaller program must keep.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    mem::{Discriminant, discriminant},
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use psl_program::{Prompt, RunFailure, Runner};
use psl_runtime::{MachineKind, Options, Registers, Run, RunError, State, Task, Update, Vocabulary};

use super::version::Version;
use crate::judge::allowed_work;

/// The run of a prompt that a smaller program must keep.
pub struct Trial {
    wanted: Wanted,
    cancelled: Arc<AtomicBool>,
    /// The limit on the work of a smaller program's run.
    max_work: u64,
    kept: Kept,
    /// The number of smaller programs that it refuted.
    pub refuted: AtomicU64,
}

/// A prompt, and whether its result is a row.
#[derive(Clone)]
pub struct Wanted {
    pub prompt: Prompt,
    pub row: bool,
}

/// The part of a run that has to stay.
enum Kept {
    /// The run fails for this kind of reason.
    Failure(Discriminant<RunError>),
    /// The continuation, and perhaps the states.
    Run(Vec<Option<String>>, Option<States>),
}

impl Trial {
    /// Runs the prompt with the original.
    ///
    /// # Errors
    ///
    /// A prompt that cannot be used.
    pub fn new(
        runner: &Runner,
        wanted: Wanted,
        outputs_only: bool,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<Self, RunFailure> {
        let (cancelled, refuted) = (Arc::clone(cancelled), AtomicU64::new(0));
        let failure = Kept::Failure(discriminant(&RunError::Cancelled));
        let mut trial = Self { wanted, cancelled, max_work: u64::MAX, kept: failure, refuted };
        let task = trial.task(runner)?;
        let (end, symbols) = if outputs_only {
            let (end, symbols) = generate(runner, &task, |_, _| true);
            (end.map(|work| (work, None)), symbols)
        } else {
            match States::read(runner, &task, usize::MAX) {
                // The number of updates limits the work of a run that is compared.
                Ok((run, states)) => (Ok((u64::MAX, Some(states))), texts(&run, &task)),
                Err(error) => (Err(error), Vec::new()),
            }
        };
        let (executable, cells) = (runner.executable(), task.input.cells.len() + symbols.len());
        // The work of a run that fails is unknown.
        let own = end.as_ref().map_or_else(|_| allowed_work(executable, cells, 0), |(work, _)| *work);
        trial.max_work = allowed_work(executable, cells, own);
        trial.kept = match end {
            Ok((_, states)) => Kept::Run(symbols, states),
            Err(error) => Kept::Failure(discriminant(&error)),
        };
        Ok(trial)
    }

    /// Whether a smaller program keeps what it should.
    pub fn is_kept_by(&self, version: &Version) -> bool {
        let Ok(task) = self.task(&version.runner) else { return false };
        let is_kept = match &self.kept {
            Kept::Failure(kind) => {
                let (end, _) = generate(&version.runner, &task, |_, _| true);
                // A run that is cancelled shows nothing.
                end.is_err_and(|error| error != RunError::Cancelled && discriminant(&error) == *kind)
            }
            Kept::Run(expected, None) => {
                let is_next = |index: usize, symbol: Option<&str>| {
                    expected.get(index).is_some_and(|expected| expected.as_deref() == symbol)
                };
                let (end, symbols) = generate(&version.runner, &task, is_next);
                end.is_ok() && symbols == *expected
            }
            Kept::Run(expected, Some(states)) => {
                let found = States::read(&version.runner, &task, states.updates);
                found.is_ok_and(|(run, found)| texts(&run, &task) == *expected && found.are_those_of(version, states))
            }
        };
        if !is_kept {
            self.refuted.fetch_add(1, Ordering::Relaxed);
        }
        is_kept
    }

    fn task(&self, runner: &Runner) -> Result<Task, RunFailure> {
        let options = runner.expecting(self.wanted.row, runner.options(&Options::default()))?;
        let mut task = runner.prompt_task(&self.wanted.prompt, &options)?;
        task.limits.cancelled.push(Arc::clone(&self.cancelled));
        task.limits.max_work = task.limits.max_work.min(self.max_work);
        Ok(task)
    }
}

/// The symbols of a run on the DAT and its work. It ends early if `accept` returns false for a symbol and its index.
fn generate(
    runner: &Runner,
    task: &Task,
    mut accept: impl FnMut(usize, Option<&str>) -> bool,
) -> (Result<u64, RunError>, Vec<Option<String>>) {
    let mut symbols = Vec::new();
    let end = runner.executable().generate(task, |value| {
        let symbol = value.and_then(|value| task.vocabulary.text(value));
        let is_accepted = accept(symbols.len(), symbol);
        symbols.push(symbol.map(str::to_owned));
        is_accepted
    });
    // Every program has tables that the DAT runs.
    (end.unwrap_or(Err(RunError::Ended)), symbols)
}

fn texts(run: &Run, task: &Task) -> Vec<Option<String>> {
    run.output.iter().map(|value| Some(task.vocabulary.text((*value)?)?.to_owned())).collect()
}

/// For each production, a hash of the states after each run of the production in each cell, with the step, the passes
/// and the cell. The last row is that of the states after the last layer.
struct States {
    rows: Vec<u64>,
    /// The number of states after productions.
    updates: usize,
}

impl States {
    /// Reads the states of a run, which ends early if it has too many.
    fn read(runner: &Runner, task: &Task, max_updates: usize) -> Result<(Run, Self), RunError> {
        let productions = runner.productions();
        let hashes = Hashes::new(&runner.executable().registers, &task.vocabulary);
        let (mut rows, mut updates) = (vec![0; productions + 1], 0);
        let mut known: Vec<Option<(Arc<State>, u64)>> = Vec::new();
        let mut read = |update: &Update| {
            updates += 1;
            let cell = update.cell.index();
            known.resize(known.len().max(cell + 1), None);
            let state = match known.get(cell) {
                Some(Some((state, hash))) if Arc::ptr_eq(state, &update.state) => *hash,
                _ => hashes.of(&update.state),
            };
            if let Some(known) = known.get_mut(cell) {
                *known = Some((Arc::clone(&update.state), state));
            }
            if let Some(row) = rows.get_mut(update.layer.index()) {
                let place = mixed(update.step as u64, cell as u64);
                let place = update.pass.iter().fold(place, |place, pass| mixed(place, *pass as u64));
                *row = mixed(mixed(*row, place), state);
            }
            if updates > max_updates { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let run = runner.executable().run(MachineKind::Dat, task, Some(&mut read))?;
        if let Some(row) = rows.get_mut(productions) {
            *row = run.states.iter().fold(0, |row, state| mixed(row, hashes.of(state)));
        }
        Ok((run, Self { rows, updates }))
    }

    /// Compares with the states of the original, as far as the version has its productions.
    fn are_those_of(&self, version: &Version, original: &Self) -> bool {
        let others = version.origins.iter().map(|origin| original.rows.get(origin.index()));
        self.rows.iter().map(Some).eq(others.chain([original.rows.last()]))
    }
}

/// Hashes of states. They depend on the names of registers and on the texts of values, and not on their numbers. A
/// register that is null adds nothing, so that it makes no difference whether a program has one that always is.
struct Hashes {
    registers: Vec<u64>,
    values: Vec<u64>,
}

impl Hashes {
    fn new(registers: &Registers, vocabulary: &Vocabulary) -> Self {
        let of_text = |text: &str| {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            hasher.finish()
        };
        Self {
            registers: registers.long.iter().map(|name| of_text(name)).collect(),
            values: vocabulary.iter().map(of_text).collect(),
        }
    }

    fn of(&self, state: &State) -> u64 {
        let held = state.iter().zip(&self.registers).filter_map(|(value, register)| {
            let value = self.values.get((*value)?.0 as usize).copied().unwrap_or_default();
            Some(mixed(*register, value))
        });
        held.fold(0, u64::wrapping_add)
    }
}

/// Adds a number to a hash.
const fn mixed(hash: u64, number: u64) -> u64 {
    (hash.rotate_left(23) ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

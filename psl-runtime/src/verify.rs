//! PSM = QKVM = DAT, compared cell by cell and layer by layer.

use std::{hash::BuildHasher, ops::ControlFlow};

use psl_syntax::program::ProductionId;
use rustc_hash::FxBuildHasher;

use crate::{
    cell_id::CellId,
    machine::{MachineKind, Observer, Run, to_the_end},
    run_error::RunError,
    trace::{TraceNames, Update, place_in_words},
};

/// A run on which all machines agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The machines' common result.
    pub run: Run,
    /// The number of states compared on each machine. A state is the registers of one cell after one layer in one pass,
    /// with the cell attended to and the values assigned.
    pub states: usize,
}

/// The reason why a verified run has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError {
    /// An error that all machines return, or a limit that one of them exceeds.
    Run(RunError),
    /// Two machines differ.
    Diverged(Box<Divergence>),
}

/// The first difference between a machine and the PSM.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The machine that differs.
    pub machine: MachineKind,
    /// The PSM's update there, or `None` if its trace has ended.
    pub expected: Option<Update>,
    /// The other machine's update there, or `None` if its trace has ended.
    pub found: Option<Update>,
    /// The results, the PSM's first, if they differ after equal traces.
    pub answers: Option<(Result<Run, RunError>, Result<Run, RunError>)>,
}

/// Compares all machines: the registers and the attention of every cell after every layer, then the results. The DAT
/// also runs without an observer, because then it skips layers that cannot change the result. `run` runs one machine.
///
/// The PSM's updates are kept as 64-bit digests. If an update of another machine differs, the PSM runs again to find
/// the update.
///
/// # Errors
///
/// An error that all machines return, a limit that one of them exceeds, or the first difference between two of them.
pub fn verify(
    run: impl Fn(MachineKind, Option<Observer<'_>>) -> Result<Run, RunError>,
) -> Result<Verified, VerifyError> {
    let mut digests = Vec::new();
    let expected = run(MachineKind::Psm, Some(&mut to_the_end(|update| digests.push(digest(update)))));
    within_limits(&expected)?;
    for machine in MachineKind::ALL.into_iter().filter(|machine| *machine != MachineKind::Psm) {
        let mut count = 0;
        let mut difference = None;
        let compare = |update: &Update| {
            if difference.is_none() && digests.get(count) != Some(&digest(update)) {
                difference = Some((count, Some(update.clone())));
            }
            count += 1;
        };
        let found = run(machine, Some(&mut to_the_end(compare)));
        within_limits(&found)?;
        let ended = (count < digests.len()).then_some((count, None));
        if let Some((index, found)) = difference.or(ended) {
            let (mut count, mut expected) = (0, None);
            let mut pick = |update: &Update| {
                expected = (count == index).then(|| update.clone());
                count += 1;
                if expected.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            within_limits(&run(MachineKind::Psm, Some(&mut pick)))?;
            return Err(VerifyError::Diverged(Box::new(Divergence { machine, expected, found, answers: None })));
        }
        compare_answers(machine, &expected, found)?;
    }
    let unobserved = run(MachineKind::Dat, None);
    within_limits(&unobserved)?;
    compare_answers(MachineKind::Dat, &expected, unobserved)?;
    expected.map(|run| Verified { run, states: digests.len() }).map_err(VerifyError::Run)
}

fn digest(update: &Update) -> u64 {
    FxBuildHasher.hash_one(update)
}

/// A machine that exceeds its limits cannot be compared.
fn within_limits(result: &Result<Run, RunError>) -> Result<(), VerifyError> {
    match result {
        Err(error) if error.depends_on_machine() => Err(VerifyError::Run(error.clone())),
        _ => Ok(()),
    }
}

fn compare_answers(
    machine: MachineKind,
    expected: &Result<Run, RunError>,
    found: Result<Run, RunError>,
) -> Result<(), VerifyError> {
    if found == *expected {
        return Ok(());
    }
    let answers = Some((expected.clone(), found));
    Err(VerifyError::Diverged(Box::new(Divergence { machine, expected: None, found: None, answers })))
}

impl Divergence {
    /// The message: the place, the register, and its values on the two machines.
    pub fn message(&self, names: &TraceNames<'_>) -> String {
        let machine = self.machine.name();
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) if place(expected) == place(found) => {
                format!(
                    "{machine} differs from psm at {}: {}",
                    update_place(expected),
                    differences(expected, found, names)
                )
            }
            (Some(expected), Some(found)) => {
                format!("{machine} is at {} while psm is at {}", update_place(found), update_place(expected))
            }
            (Some(expected), None) => format!("{machine} has ended while psm is at {}", update_place(expected)),
            (None, Some(found)) => format!("{machine} is at {} after psm has ended", update_place(found)),
            (None, None) => format!("{machine} and psm return different results after the same updates"),
        }
    }
}

fn place(update: &Update) -> (usize, ProductionId, &[usize], CellId) {
    (update.step, update.layer, &update.pass, update.cell)
}

fn update_place(Update { step, layer, pass, cell, .. }: &Update) -> String {
    place_in_words(*step, *layer, pass, *cell)
}

fn differences(expected: &Update, found: &Update, names: &TraceNames<'_>) -> String {
    let cell = |attends: Option<CellId>| attends.map_or_else(|| "no cell".to_owned(), |cell| format!("cell {cell}"));
    let mut words = Vec::new();
    if expected.attends != found.attends {
        words.push(format!("it attends to {}, not to {}", cell(found.attends), cell(expected.attends)));
    }
    let registers = names.registers.long.iter().zip(expected.state.iter().zip(found.state.iter()));
    for (name, (&expected, &found)) in registers.filter(|(_, (expected, found))| expected != found) {
        words.push(format!("{name} is {}, not {}", names.vocabulary.show(found), names.vocabulary.show(expected)));
    }
    if words.is_empty() {
        words.push("it assigns different values".to_owned());
    }
    words.join("; ")
}

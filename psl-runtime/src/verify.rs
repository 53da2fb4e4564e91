//! PSM = QKVM = DAT, cell by cell and layer by layer.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::machine::{MachineKind, Observer, Run};
use crate::run_error::RunError;
use crate::trace::{TraceNames, Update, place_in_words};

/// A run on which all machines agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// What each of them answers.
    pub run: Run,
    /// The states compared on each: the registers of one cell after one layer, in one pass of the blocks around it, with the
    /// cell attended to and the values assigned.
    pub states: usize,
}

/// Why a verified run gives no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError {
    /// All machines report this error, or one of them goes past its limits.
    Run(RunError),
    /// Two machines do not agree.
    Diverged(Box<Divergence>),
}

/// Where a machine first differs from the PSM.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The machine that differs.
    pub machine: MachineKind,
    /// The PSM's update where they differ; none where its trace is over.
    pub expected: Option<Update>,
    /// The update of the machine that differs; none where its trace is over.
    pub found: Option<Update>,
    /// The runs' answers, the PSM's first, where the traces are the same and they are not.
    pub answers: Option<(Result<Run, RunError>, Result<Run, RunError>)>,
}

/// Compares all machines: registers and attention of every cell after every layer, then the answers, also that of the DAT
/// when nobody looks at its cells, where it leaves out what cannot change. `run` runs one machine.
///
/// Of the PSM's updates, 64 bits each are kept to compare with; where another machine's differ, the PSM runs once more.
///
/// # Errors
///
/// What all machines report, a limit that one of them goes past, or the first place where two differ.
pub fn verify(
    run: impl Fn(MachineKind, Option<Observer<'_>>) -> Result<Run, RunError>,
) -> Result<Verified, VerifyError> {
    let mut digests = Vec::new();
    let expected = run(MachineKind::Psm, Some(&mut |update| digests.push(digest(update))));
    within_limits(&expected)?;
    for machine in [MachineKind::Qkvm, MachineKind::Dat, MachineKind::FullDat] {
        let mut count = 0;
        let mut difference = None;
        let mut compare = |update: &Update| {
            if difference.is_none() && digests.get(count) != Some(&digest(update)) {
                difference = Some((count, Some(update.clone())));
            }
            count += 1;
        };
        let found = run(machine, Some(&mut compare));
        within_limits(&found)?;
        let ended = (count < digests.len()).then_some((count, None));
        if let Some((index, found)) = difference.or(ended) {
            let (mut count, mut expected) = (0, None);
            let mut pick = |update: &Update| {
                if count == index {
                    expected = Some(update.clone());
                }
                count += 1;
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

/// A machine that went past its limits says nothing of the others.
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
    /// The divergence in words: where, which register, and what the two machines hold.
    pub fn message(&self, names: &TraceNames<'_>) -> String {
        let machine = self.machine.name();
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) if place(expected) == place(found) => {
                format!("{machine} differs from psm at {}: {}", in_words(expected), differences(expected, found, names))
            }
            (Some(expected), Some(found)) => {
                format!("{machine} is at {} when psm is at {}", in_words(found), in_words(expected))
            }
            (Some(expected), None) => format!("{machine} has ended when psm is at {}", in_words(expected)),
            (None, Some(found)) => format!("{machine} is at {} when psm has ended", in_words(found)),
            (None, None) => format!("{machine} answers otherwise than psm after the same updates"),
        }
    }
}

fn place(update: &Update) -> (usize, usize, &[usize], usize) {
    (update.step, update.layer, &update.pass, update.cell)
}

fn in_words(Update { step, layer, pass, cell, .. }: &Update) -> String {
    place_in_words(*step, *layer, pass, *cell)
}

fn differences(expected: &Update, found: &Update, names: &TraceNames<'_>) -> String {
    let cell = |attends: Option<usize>| attends.map_or_else(|| "no cell".to_owned(), |cell| format!("cell {cell}"));
    let mut words = Vec::new();
    if expected.attends != found.attends {
        words.push(format!("it attends to {}, not to {}", cell(found.attends), cell(expected.attends)));
    }
    let registers = names.registers.long.iter().zip(expected.state.iter().zip(&found.state));
    for (name, (&expected, &found)) in registers.filter(|(_, (expected, found))| expected != found) {
        words.push(format!("{name} holds {}, not {}", names.vocabulary.show(found), names.vocabulary.show(expected)));
    }
    if words.is_empty() {
        words.push("it assigns other values".to_owned());
    }
    words.join("; ")
}

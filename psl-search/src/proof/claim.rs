//! Claims about single runs.

use std::ops::ControlFlow;

use psl_program::{Continuation, count};
use psl_runtime::{CellId, Executable, MachineKind, RunError, Task, Update, VerifyError};
use psl_syntax::program::ProductionId;

/// A claim about the run of a prompt. Whether it holds does not depend on symbols that the program cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The stop symbol ends the continuation, and no symbol is null.
    Answers,
    /// The run ends, with a continuation of any kind.
    Terminates,
    /// No cell attends to one on its right.
    Causal,
    /// Each symbol before the stop symbol is one of the prompt, or one of these.
    Copies(Vec<String>),
    /// The machines agree in every state.
    Machines,
}

/// The way in which a run refutes a claim. Symbols are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The run fails.
    Fails,
    /// A symbol is null.
    Null(usize),
    /// The continuation is cut off after this many symbols.
    CutOff(usize),
    /// A symbol is not one of the prompt.
    Foreign(usize, String),
    /// A cell attends to one on its right.
    LooksAhead(ProductionId, CellId, CellId),
    /// A machine differs from the PSM.
    Differs(MachineKind),
}

impl Flaw {
    /// The flaw as a clause. A run that fails has a message in place of a continuation.
    pub(super) fn in_words(&self, continuation: &Result<Continuation, String>) -> String {
        match self {
            Self::Fails => continuation.as_ref().err().cloned().unwrap_or_else(|| "the run fails".to_owned()),
            Self::Null(number) => format!("symbol {number} is null"),
            Self::CutOff(number) => format!("the continuation is cut off after {}", count(*number, "symbol")),
            Self::Foreign(number, symbol) => format!("symbol {number}, `{symbol}`, is not in the prompt"),
            Self::LooksAhead(layer, cell, attends) => {
                let (cell, attends) = (cell.number(), attends.number());
                format!("in layer {}, cell {cell} attends to cell {attends}", layer.number())
            }
            Self::Differs(machine) => format!("{} differs from psm", machine.name()),
        }
    }
}

impl Claim {
    /// The names of claims.
    pub const NAMES: [&str; 5] = ["answers", "terminates", "causal", "copies", "machines"];

    /// The claim with this name. `allowed` are the further symbols of [`Claim::Copies`].
    pub fn named(name: &str, allowed: Vec<String>) -> Option<Self> {
        Some(match name {
            "answers" => Self::Answers,
            "terminates" => Self::Terminates,
            "causal" => Self::Causal,
            "copies" => Self::Copies(allowed),
            "machines" => Self::Machines,
            _ => return None,
        })
    }

    /// The way in which a run refutes the claim. `None` if it does not.
    pub(super) fn flaw(&self, executable: &Executable, task: &Task, prompt: &[&str], stop: &str) -> Option<Flaw> {
        match self {
            Self::Answers => {
                let (mut symbols, mut is_null, mut is_stop) = (0, false, false);
                let end = generate(executable, task, |text| {
                    symbols += 1;
                    (is_null, is_stop) = (text.is_none(), text == Some(stop));
                    !is_null
                });
                match end {
                    Err(_) => Some(Flaw::Fails),
                    Ok(()) if is_null => Some(Flaw::Null(symbols)),
                    Ok(()) if is_stop => None,
                    Ok(()) => Some(Flaw::CutOff(symbols)),
                }
            }
            Self::Terminates => generate(executable, task, |_| true).err().map(|_| Flaw::Fails),
            Self::Copies(others) => {
                let (mut number, mut wrong) = (0, None);
                // The symbols of a run that fails later count, too.
                let end = generate(executable, task, |text| {
                    number += 1;
                    let is_copy = text.is_some_and(|text| {
                        text == stop || prompt.contains(&text) || others.iter().any(|other| other == text)
                    });
                    if !is_copy {
                        wrong = Some(text.map(str::to_owned));
                    }
                    is_copy
                });
                match (wrong, end) {
                    (Some(Some(wrong)), _) => Some(Flaw::Foreign(number, wrong)),
                    (Some(None), _) => Some(Flaw::Null(number)),
                    (None, Err(_)) => Some(Flaw::Fails),
                    (None, Ok(())) => None,
                }
            }
            Self::Causal => {
                let mut ahead = None;
                let mut look = |update: &Update| match update.attends.filter(|attends| *attends > update.cell) {
                    Some(attends) => {
                        ahead = Some((update.layer, update.cell, attends));
                        ControlFlow::Break(())
                    }
                    None => ControlFlow::Continue(()),
                };
                // A run that fails has no further cells.
                let _ = executable.run(MachineKind::Dat, task, Some(&mut look));
                ahead.map(|(layer, cell, attends)| Flaw::LooksAhead(layer, cell, attends))
            }
            Self::Machines => match executable.verify(task) {
                Ok(_) => None,
                Err(VerifyError::Run(error)) if !error.depends_on_machine() => None,
                Err(VerifyError::Run(_)) => Some(Flaw::Fails),
                Err(VerifyError::Diverged(divergence)) => Some(Flaw::Differs(divergence.machine)),
            },
        }
    }
}

/// Runs a task on the DAT. `accept` gets the text of each symbol, and ends the run by returning false.
fn generate(
    executable: &Executable,
    task: &Task,
    mut accept: impl FnMut(Option<&str>) -> bool,
) -> Result<(), RunError> {
    let text = |value: Option<_>| value.and_then(|value| task.vocabulary.text(value));
    if let Some(end) = executable.generate(task, |value| accept(text(value))) {
        return end.map(|_| ());
    }
    // Only the full arithmetic runs these weights.
    let run = executable.run(MachineKind::FullDat, task, None)?;
    run.output.iter().all(|value| accept(text(*value)));
    Ok(())
}

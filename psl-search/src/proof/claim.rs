//! Claims about single runs.

use std::ops::ControlFlow;

use psl_runtime::{MachineKind, RunFailure, Update, VerifyError};
use psl_syntax::program::DEFAULT_STOP;

use super::{
    flaw::Flaw,
    generate::generate,
    statement::{Statement, Trial},
};

/// A claim about the run of a prompt. Whether it holds does not depend on symbols that the program cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The stop symbol ends the continuation, and no symbol is null. No value of a row is null.
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

    fn flaw_of(&self, trial: &Trial<'_>) -> Option<Flaw> {
        let Trial { runner, task, prompt, options } = trial;
        let (executable, stop) = (runner.executable(), options.stop.as_deref().unwrap_or(DEFAULT_STOP));
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
                    Ok(_) if is_null => Some(Flaw::Null(symbols)),
                    Ok(_) if is_stop || task.answer.is_some() => None,
                    Ok(_) => Some(Flaw::CutOff(symbols)),
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
                    (None, Ok(_)) => None,
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

impl Statement for Claim {
    fn flaw(&self, trial: &Trial<'_>) -> Result<Option<Flaw>, RunFailure> {
        Ok(self.flaw_of(trial))
    }
}

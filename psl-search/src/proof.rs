//! Proofs about all short prompts, whatever their symbols: a program that cannot tell symbols apart treats all prompts
//! alike that differ only in those, so that a finite number of runs decides. See [`psl_syntax::domains::met_values`]
//! for the argument.

mod claim;
mod short_prompts;

use std::sync::atomic::{AtomicUsize, Ordering};

use psl_program::{Continuation, Runner};
use psl_runtime::{MachineKind, RunFailure, Task};

use self::claim::Flaw;
pub use self::{
    claim::Claim,
    short_prompts::{ShortPrompts, Wanted},
};
use crate::workers::{AT_ONCE, Workers, tests};

/// The result of trying a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The number of shapes, the shortest first, for whose prompts the claim holds.
    pub proved: usize,
    /// The number of prompts that were run.
    pub prompts: usize,
    /// A shortest prompt that refutes the claim, if there is one.
    pub counterexample: Option<Counterexample>,
}

/// A prompt that refutes a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The symbols, separated by spaces.
    pub prompt: String,
    /// The reason, as a clause.
    pub why: String,
    /// The continuation, or the message of a run that fails.
    pub continuation: Result<Continuation, String>,
}

impl Counterexample {
    fn new(runner: &Runner, task: &Task, prompt: &[&str], flaw: &Flaw) -> Self {
        let continuation = runner.complete(task, MachineKind::Dat, None).map_err(|failure| failure.message);
        let why = flaw.in_words(&continuation);
        Self { prompt: prompt.join(" "), why, continuation }
    }
}

/// Tries a claim with short prompts, those of the first shape first. It ends with the first one that refutes the claim,
/// or if the workers are stopped.
///
/// # Errors
///
/// Fails if a prompt cannot be run.
pub fn prove(
    runner: &Runner,
    claim: &Claim,
    prompts: &ShortPrompts,
    workers: &dyn Workers,
) -> Result<Proof, RunFailure> {
    let (executable, tried) = (runner.executable(), AtomicUsize::new(0));
    let mut proof = Proof { proved: 0, prompts: 0, counterexample: None };
    for shape in prompts.shapes() {
        let refute = |prompt: &Vec<&str>| match executable.task(prompt, prompts.options()) {
            Ok(task) => {
                let flaw = claim.flaw(executable, &task, prompt, prompts.stop())?;
                Some(Ok(Counterexample::new(runner, &task, prompt, &flaw)))
            }
            Err(error) => Some(Err(RunFailure::from(error))),
        };
        let found = tests(workers, shape.prompts(), AT_ONCE, &tried, refute).flatten().next().transpose()?;
        let before = proof.prompts;
        proof.prompts = tried.load(Ordering::Relaxed);
        let is_whole = (proof.prompts - before) as u64 == shape.count();
        proof.counterexample = found;
        if proof.counterexample.is_some() || !is_whole {
            break;
        }
        proof.proved += 1;
    }
    Ok(proof)
}

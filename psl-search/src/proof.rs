//! Proofs about all short prompts, whatever their symbols: a program that cannot tell symbols apart treats all prompts
//! alike that differ only in those, so that a finite number of runs decides. See [`psl_syntax::domains::met_values`]
//! for the argument.

mod against;
mod claim;
mod flaw;
mod generate;
mod shape;
mod short_prompts;
mod statement;

use std::sync::atomic::{AtomicUsize, Ordering};

use psl_program::{Continuation, FailureExplanation, Runner, explain_failure};
use psl_runtime::{MachineKind, RunFailure, Stopped, record::SymbolWrites, to_the_end};

pub use self::{
    against::{Against, Expected},
    claim::Claim,
    short_prompts::{ShortPrompts, Wanted, prompts_of},
    statement::Statement,
};
use self::{flaw::Flaw, statement::Trial};
pub(crate) use self::{generate::generate, shape::Shape};
use crate::workers::{AT_ONCE, Workers, tests};

/// The result of trying a statement.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The number of shapes, the shortest first, for whose prompts the statement holds.
    pub proved: usize,
    /// The number of prompts that were run.
    pub prompts: usize,
    /// A prompt of the first shape with one that refutes the statement, if there is one.
    pub counterexample: Option<Counterexample>,
}

/// A prompt that refutes a statement.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The symbols, separated by spaces.
    pub prompt: String,
    /// The reason, as a clause.
    pub why: String,
    /// The continuation, or the message of a run that fails.
    pub continuation: Result<Continuation, String>,
    /// The continuation that the statement expects, or the message of a run that should fail. `None` if it expects none
    /// in particular, and if only states differ.
    pub expected: Option<Result<Continuation, String>>,
    /// The explanation of a continuation that is not the expected one.
    pub explanation: Option<FailureExplanation>,
}

impl Counterexample {
    fn new(trial: &Trial<'_>, flaw: &Flaw, statement: &dyn Statement) -> Self {
        // The continuations are the same if only states differ.
        let expected = if matches!(flaw, Flaw::State(_)) { None } else { statement.expected(trial) };
        let Trial { runner, task, prompt, .. } = trial;
        let prompt = prompt.join(" ");
        let mut writes = SymbolWrites::new(runner.executable(), task);
        let continuation = runner.complete(task, MachineKind::Dat, Some(&mut to_the_end(|update| writes.read(update))));
        let continuation = continuation.map_err(|failure| failure.message);
        let explanation = match (&continuation, &expected) {
            (Ok(got), Some(Ok(expected))) => explain_failure(runner, &expected.text(), got, |symbol| writes.of(symbol)),
            _ => None,
        };
        let why = match (&explanation, &expected) {
            (Some(explanation), _) => explanation.difference().to_owned(),
            (None, expected) => flaw.in_words(&continuation, expected.as_ref()),
        };
        Self { prompt, why, continuation, expected, explanation }
    }
}

/// The reason, as a clause, why a continuation is not the expected one, without a look at its symbols.
pub(crate) fn reason_in_words(continuation: &Result<Continuation, String>) -> String {
    let flaw = match continuation {
        Err(_) => Flaw::Fails,
        Ok(got) if got.stopped == Stopped::MaxNew => Flaw::CutOff(got.symbols.len()),
        Ok(_) => Flaw::Unexpected,
    };
    flaw.in_words(continuation, None)
}

/// Tries a statement with short prompts, those of the first shape first. It ends with the first one that refutes the
/// statement, or if the workers are stopped.
///
/// # Errors
///
/// Fails if a prompt cannot be run.
pub fn prove(
    runner: &Runner,
    statement: &dyn Statement,
    prompts: &ShortPrompts,
    workers: &dyn Workers,
) -> Result<Proof, RunFailure> {
    let (options, tried) = (prompts.options(), AtomicUsize::new(0));
    let mut proof = Proof { proved: 0, prompts: 0, counterexample: None };
    for shape in prompts.shapes() {
        let refute = |prompt: &Vec<&str>| match runner.executable().task(prompt, options) {
            Ok(task) => {
                let trial = Trial { runner, task, prompt, options };
                let refuted = |flaw| Counterexample::new(&trial, &flaw, statement);
                statement.flaw(&trial).map(|flaw| flaw.map(refuted)).transpose()
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

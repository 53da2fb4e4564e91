//! The tests of a program, completed by its checkpoint.

use psl_runtime::{
    equality::{ReferenceProgram, Unequal},
    gpt2::{Checkpoint, CheckpointError, End, Precision},
};

/// The tests that a checkpoint completes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The number of prompts that the checkpoint completes like the program, with the same registers in every layer.
    pub equal: usize,
    /// The number of registers compared.
    pub registers: usize,
    /// The number of prompts that the checkpoint ends early: they are beyond its bounds.
    pub ended: usize,
    /// The least distance of a logit chosen from the second, in nats.
    pub margin: f32,
}

/// The exactness of a checkpoint, as far as it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exactness {
    /// The tests that it completes.
    pub tested: Tested,
    /// The format with the fewest digits in which it was right on the prompts compared.
    pub digits: Precision,
    /// The reason why it ends some prompt of the greatest length early: the limit that binds first.
    pub binds: Option<End>,
}

/// The reason why the tests show no equality.
pub enum NotTested {
    /// The checkpoint has no valid program.
    Program(CheckpointError),
    /// The checkpoint differs from the program.
    Differs {
        /// The prompt.
        prompt: String,
        /// The difference.
        difference: String,
    },
}

impl Tested {
    /// Completes prompts by a checkpoint and by its program, and compares them. An early end is fine if `exact`, the
    /// checkpoint in full precision, ends so too.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint has no valid program, or differs from it.
    pub fn new(made: &Checkpoint, exact: &Checkpoint, prompts: &[Vec<&str>]) -> Result<Self, NotTested> {
        let original = ReferenceProgram::new(made).map_err(NotTested::Program)?;
        let mut tested = Self { equal: 0, registers: 0, ended: 0, margin: f32::INFINITY };
        for symbols in prompts {
            match original.compare(made, symbols, made.meaning.max_new) {
                Ok(equal) => {
                    tested.equal += 1;
                    tested.registers += equal.registers;
                    tested.margin = tested.margin.min(equal.completion.margin);
                }
                Err(Unequal::Ended(end)) => {
                    let by_exact = exact.complete(symbols, exact.meaning.max_new, |_| ());
                    if by_exact.and_then(|done| done.end) != Some(end) {
                        let difference = format!("it ends with `{}`", end.text());
                        return Err(NotTested::Differs { prompt: symbols.join(" "), difference });
                    }
                    tested.ended += 1;
                }
                Err(Unequal::TooLong) => tested.ended += 1,
                // The program itself cannot complete the prompt, or has no layers.
                Err(Unequal::Input(_) | Unequal::Run(_) | Unequal::Nothing) => {}
                Err(Unequal::Differs(difference)) => {
                    return Err(NotTested::Differs { prompt: symbols.join(" "), difference });
                }
            }
        }
        Ok(tested)
    }
}

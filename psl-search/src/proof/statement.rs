//! Statements about runs.

use psl_program::{Continuation, Runner};
use psl_runtime::{Options, RunFailure, Task};

use super::flaw::Flaw;

/// A statement about the run of a prompt. Whether it holds does not depend on symbols that no program which it is about
/// can tell apart.
pub trait Statement: Sync {
    /// The way in which a run refutes the statement. `None` if it does not.
    ///
    /// # Errors
    ///
    /// Fails if another program cannot run the prompt.
    fn flaw(&self, trial: &Trial<'_>) -> Result<Option<Flaw>, RunFailure>;

    /// The continuation that the statement expects, or the reason why it expects the run to fail. `None` if it expects
    /// none in particular.
    fn expected(&self, _: &Trial<'_>) -> Option<Result<Continuation, String>> {
        None
    }
}

/// A prompt to try a statement with.
pub struct Trial<'t> {
    pub runner: &'t Runner,
    pub task: Task,
    pub prompt: &'t [&'t str],
    pub options: &'t Options,
}

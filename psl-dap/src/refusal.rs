//! The reasons why a request fails.

use psl_debug::{DebugError, console::CommandError};
use psl_program::NotALayer;
use thiserror::Error;

use crate::launch::LaunchError;

/// The reason why a request fails.
#[derive(Debug, Error)]
pub enum Refusal {
    #[error("psl dap does not know the request `{0}`")]
    UnknownRequest(String),
    /// The arguments do not suit the request.
    #[error("wrong arguments: {0}")]
    Arguments(serde_json::Error),
    /// The client wants to attach to a process.
    #[error("psl runs the program itself: use a configuration with `\"request\": \"launch\"`")]
    Attach,
    /// The program cannot be launched.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No program is launched.
    #[error("no program is being debugged: send `launch` first")]
    NotLaunched,
    /// There is no such thread.
    #[error("there is no thread {thread}: {}", if *.has_second { "the machines are 1 and 2" } else { "the run is thread 1" })]
    UnknownThread {
        /// The number.
        thread: i64,
        /// Whether a second machine runs.
        has_second: bool,
    },
    /// A frame or a scope of an earlier stop.
    #[error("{what} {id} is not one of the current stop: ask for the stack again")]
    EarlierStop {
        /// The kind of thing.
        what: &'static str,
        /// The number.
        id: i64,
    },
    /// There is no such scope.
    #[error("there is no scope {0}")]
    UnknownScope(i64),
    /// A variable that is not a register of a cell before the layer.
    #[error("only a register of a cell before the layer can be changed")]
    NotChangeable,
    /// There is no such target.
    #[error("there is no target {0}: ask for the targets again")]
    UnknownTarget(usize),
    /// The current moment has no fault.
    #[error("there is no exception at this moment")]
    NoException,
    /// The source of a breakpoint or a line is another file.
    #[error("the program that is debugged is {0}")]
    OtherFile(String),
    /// The program has fewer lines.
    #[error("the program has fewer lines")]
    UnknownLine,
    /// The production on a line of the edited file is not in the text that runs.
    #[error("this production has changed since the launch: restart the session to stop here")]
    EditedProduction,
    /// No production is on the line or after it.
    #[error("there is no production on this line or after it")]
    LineAfterProductions,
    /// A text that names no layer.
    #[error(transparent)]
    NotALayer(#[from] NotALayer),
    /// A text that is not a register of a cell.
    #[error("`{0}` is not a register of a cell")]
    NotData(String),
    /// There is no such fault.
    #[error("there is no exception `{0}`")]
    UnknownException(String),
    /// The debugger has no answer.
    #[error(transparent)]
    Debug(#[from] DebugError),
    /// A command of the console has no answer.
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl Refusal {
    /// Whether a client should show it to the user at once.
    pub fn is_shown(&self) -> bool {
        matches!(self, Self::Launch(_))
    }
}

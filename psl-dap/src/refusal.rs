//! The reasons why a request fails.

use std::fmt;

use psl_record::debugger::{DebugError, console::CommandError};

use crate::launch::LaunchError;

/// The reason why a request fails.
#[derive(Debug)]
pub enum Refusal {
    /// The request is unknown.
    UnknownRequest(String),
    /// The arguments do not suit the request.
    Arguments(serde_json::Error),
    /// The client wants to attach to a process.
    Attach,
    /// The program cannot be launched.
    Launch(LaunchError),
    /// No program is launched.
    NotLaunched,
    /// There is no such thread.
    UnknownThread {
        /// The number.
        thread: i64,
        /// Whether a second machine runs.
        has_second: bool,
    },
    /// A frame or a scope of an earlier stop.
    EarlierStop {
        /// The kind of thing.
        what: &'static str,
        /// The number.
        id: i64,
    },
    /// There is no such scope.
    UnknownScope(i64),
    /// A variable that is not a register of a cell before the layer.
    NotChangeable,
    /// There is no such target.
    UnknownTarget(usize),
    /// The current moment has no fault.
    NoException,
    /// The program has fewer lines.
    UnknownLine,
    /// No production is on the line or after it.
    LineAfterProductions,
    /// No production has the label.
    UnknownLabel(String),
    /// A text that is not a register of a cell.
    NotData(String),
    /// There is no such fault.
    UnknownException(String),
    /// The debugger has no answer.
    Debug(DebugError),
    /// A command of the console has no answer.
    Command(CommandError),
}

impl Refusal {
    /// Whether a client should show it to the user at once.
    pub fn is_shown(&self) -> bool {
        matches!(self, Self::Launch(_))
    }
}

impl From<LaunchError> for Refusal {
    fn from(error: LaunchError) -> Self {
        Self::Launch(error)
    }
}

impl From<DebugError> for Refusal {
    fn from(error: DebugError) -> Self {
        Self::Debug(error)
    }
}

impl From<CommandError> for Refusal {
    fn from(error: CommandError) -> Self {
        Self::Command(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRequest(command) => write!(out, "psl dap does not know the request `{command}`"),
            Self::Arguments(error) => write!(out, "wrong arguments: {error}"),
            Self::Attach => {
                out.write_str("psl runs the program itself: use a configuration with `\"request\": \"launch\"`")
            }
            Self::Launch(error) => error.fmt(out),
            Self::NotLaunched => out.write_str("no program is being debugged: send `launch` first"),
            Self::UnknownThread { thread, has_second: true } => {
                write!(out, "there is no thread {thread}: the machines are 1 and 2")
            }
            Self::UnknownThread { thread, has_second: false } => {
                write!(out, "there is no thread {thread}: the run is thread 1")
            }
            Self::EarlierStop { what, id } => {
                write!(out, "{what} {id} is not one of the current stop: ask for the stack again")
            }
            Self::UnknownScope(id) => write!(out, "there is no scope {id}"),
            Self::NotChangeable => out.write_str("only a register of a cell before the layer can be changed"),
            Self::UnknownTarget(id) => write!(out, "there is no target {id}: ask for the targets again"),
            Self::NoException => out.write_str("there is no exception at this moment"),
            Self::UnknownLine => out.write_str("the program has fewer lines"),
            Self::LineAfterProductions => out.write_str("there is no production on this line or after it"),
            Self::UnknownLabel(label) => write!(out, "no production has the label `{label}`"),
            Self::NotData(id) => write!(out, "`{id}` is not a register of a cell"),
            Self::UnknownException(name) => write!(out, "there is no exception `{name}`"),
            Self::Debug(error) => error.fmt(out),
            Self::Command(error) => error.fmt(out),
        }
    }
}

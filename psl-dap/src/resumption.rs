//! The ways from one stop of a session to the next.

use psl_debug::{Debugger, Direction, Hit, Moment, Moved, Movement, Resumed};
use psl_program::Progress;

use crate::{breakpoints::Breakpoints, to_proto::Stop};

/// A way to resume a session until its next stop.
pub enum Resumption {
    /// None: the session stops before the first layer.
    Entry,
    /// From the start to the first stop.
    FromStart,
    /// To the end of the run, past all breakpoints.
    ToEnd,
    /// To the next stop in this direction.
    ToStop(Direction),
    /// To the moment of a movement.
    Move(Movement),
    /// To a target of `gotoTargets`.
    GoTo(Moment),
    /// To the start of a frame.
    RestartFrame(Moment),
    /// None: a command of the console has moved the debugger.
    OfConsole,
}

impl Resumption {
    /// Resumes the session, and returns its stop.
    pub fn perform(self, debugger: &mut Debugger, breakpoints: &Breakpoints, progress: &Progress) -> Stop {
        let (resumed, direction) = match self {
            Self::Entry => return Stop::new("entry"),
            Self::Move(movement) => return after(debugger.move_by(movement, progress)),
            Self::GoTo(moment) => {
                debugger.go_to(moment);
                return Stop::new("goto");
            }
            Self::RestartFrame(moment) => {
                debugger.go_to(moment);
                return Stop::new("restart");
            }
            Self::OfConsole => return Stop::new("goto"),
            Self::FromStart => (debugger.run_from_start(&breakpoints.all(), progress), Direction::Forward),
            Self::ToEnd => (debugger.resume(Direction::Forward, &[], progress), Direction::Forward),
            Self::ToStop(direction) => (debugger.resume(direction, &breakpoints.all(), progress), direction),
        };
        let Resumed { hit, logs, paused } = resumed;
        let stop = match hit {
            _ if paused => Stop::new("pause"),
            Some(Hit { ids, .. }) => at_breakpoints(breakpoints, ids),
            None if direction == Direction::Forward => at_the_end(debugger),
            None => Stop::described("step", "The start of the run"),
        };
        Stop { output: logs, ..stop }
    }
}

fn after(moved: Moved) -> Stop {
    match moved {
        Moved::Yes => Stop::new("step"),
        Moved::Start => Stop::described("step", "The start of the run"),
        Moved::End => Stop::described("step", "The end of the run"),
        Moved::Paused => Stop::new("pause"),
    }
}

fn at_breakpoints(breakpoints: &Breakpoints, ids: Vec<usize>) -> Stop {
    let (reason, exception) = breakpoints.reason(&ids);
    let description = exception.map(|exception| exception.fault().description.to_owned());
    Stop { breakpoints: ids, exception, description, ..Stop::new(reason) }
}

fn at_the_end(debugger: &Debugger) -> Stop {
    match debugger.run().outcome() {
        Ok(continuation) => Stop::described("step", format!("The end of the run: {}", continuation.shown())),
        Err(failure) => Stop::described("step", format!("The run failed: {}", failure.message)),
    }
}

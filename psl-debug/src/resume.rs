//! Movement to the next stop.

use psl_program::Progress;

use super::{
    breakpoint::Breakpoint,
    debugged_run::Debugger,
    search::{Direction, Hit, StopSearch},
    timeline::Moment,
};

/// The end of a movement to the next stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// The stop, or `None` if there is no further one: the debugger is at the end or the start of the run.
    pub hit: Option<Hit>,
    /// The logged lines, in the order of the movement.
    pub logs: Vec<String>,
    /// Whether the client cancelled it. After a movement forward, the debugger is at the end of the record; after one
    /// backward, it has not moved.
    pub paused: bool,
}

impl Debugger {
    /// Moves to the first stop of the run, which may be its first moment, or to its end.
    pub fn run_from_start(&mut self, breakpoints: &[Breakpoint], progress: &Progress) -> Resumed {
        let start = self.timeline().start();
        self.go_to(start);
        self.search(None, Direction::Forward, breakpoints, progress)
    }

    /// Moves to the next stop in a direction, or to the end or the start of the run. Records more of the run as needed.
    pub fn resume(&mut self, direction: Direction, breakpoints: &[Breakpoint], progress: &Progress) -> Resumed {
        self.search(Some(self.moment()), direction, breakpoints, progress)
    }

    fn search(
        &mut self,
        from: Option<Moment>,
        direction: Direction,
        breakpoints: &[Breakpoint],
        progress: &Progress,
    ) -> Resumed {
        loop {
            let found = StopSearch {
                program: self.file().program(),
                run: self.run(),
                gold: self.gold(),
                disagreement: self.disagreement(),
                breakpoints,
                focus: self.moment().cell,
                cancelled: &progress.cancelled,
            }
            .next_stop(from, direction);
            if found.cancelled {
                return self.paused(direction);
            }
            if let Some(hit) = found.stop {
                self.go_to(hit.moment);
                return Resumed { hit: Some(hit), logs: found.logs, paused: false };
            }
            let is_forward = direction == Direction::Forward;
            if is_forward && self.can_grow() {
                if self.grow(progress) {
                    continue;
                }
                return self.paused(direction);
            }
            self.go_to(if is_forward { self.timeline().end() } else { self.timeline().start() });
            return Resumed { hit: None, logs: found.logs, paused: false };
        }
    }

    fn paused(&mut self, direction: Direction) -> Resumed {
        let end = self.timeline().end();
        if direction == Direction::Forward
            && let Some(last) = self.timeline().back_cell(end)
        {
            self.go_to(last.max(self.moment()));
        }
        Resumed { paused: true, ..Resumed::default() }
    }
}

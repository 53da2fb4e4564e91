//! The breakpoints of a session, and the runs between them.

use psl_program::{File, Progress};
use psl_runtime::CellId;
use psl_syntax::token::{Kind, tokenize};

use super::{clauses::Clauses, error::CommandError, here::here, layers::layer, line::Line};
use crate::{
    breakpoint::{BreakOn, Breakpoint, Values},
    cell_view::NamedCell,
    condition::{Clause, DebugCondition, Listed},
    debugged_run::Debugger,
    exception::Exception,
    expression::RegisterOfCell,
    resume::Resumed,
    search::Direction,
};

/// The breakpoints of a session.
#[derive(Debug, Default)]
pub struct Breakpoints {
    set: Vec<Described>,
    /// The number of the newest breakpoint, from 1. Numbers of deleted ones are not used again.
    newest: usize,
}

/// A breakpoint with its description.
#[derive(Debug)]
pub struct Described {
    pub breakpoint: Breakpoint,
    /// The moments at which it stops, in words.
    pub about: String,
    pub is_enabled: bool,
}

impl Described {
    fn line(&self) -> Line {
        let state = if self.is_enabled { "" } else { " (disabled)" };
        let text = format!("breakpoint {}{state}: {}", self.breakpoint.id, self.about);
        if self.is_enabled { Line::plain(text) } else { Line::remark(text) }
    }
}

impl Described {
    /// The line at a stop, which names the cell if the breakpoint does not.
    fn stopped(&self, cell: CellId) -> Line {
        let line = self.line();
        match self.breakpoint.on {
            BreakOn::Data { cell: None, .. } => Line { text: format!("{}: cell {cell}", line.text), ..line },
            _ => line,
        }
    }
}

impl Breakpoints {
    /// The breakpoints, in the order of their numbers.
    pub fn all(&self) -> &[Described] {
        &self.set
    }

    /// Sets a breakpoint on a production, `LINE`, `LABEL` or `layer L`, with [`Clauses`]: where it fires, or
    /// `everywhere`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such production, or if a clause cannot be read.
    pub fn on_layer(&mut self, debugger: &Debugger, text: &str, everywhere: bool) -> Result<Vec<Line>, CommandError> {
        let described = self.layer(debugger, text, everywhere)?;
        Ok(self.add(debugger, described))
    }

    fn layer(&self, debugger: &Debugger, text: &str, everywhere: bool) -> Result<Described, CommandError> {
        let (file, clauses) = (debugger.file(), Clauses::split(text));
        let layer = layer(file, clauses.moments)?;
        let start = file.program().productions()[layer].head.start;
        let line = file.line_index().line(start) + 1;
        let cells = if everywhere { ", everywhere" } else { "" };
        let about = format!("layer {layer}, line {line}{cells}");
        self.described(file, BreakOn::Layer { layer, everywhere }, &about, clauses)
    }

    /// Sets a breakpoint on the changes of a register, such as `field[5]`, `field[5] == XQ`, or `field` and
    /// `field[N] != XQ` for all cells, with [`Clauses`]. With `write`, on all writes.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a register, or if a clause cannot be read.
    pub fn on_data(&mut self, debugger: &Debugger, text: &str, write: bool) -> Result<Vec<Line>, CommandError> {
        let described = self.data(debugger, text, write)?;
        Ok(self.add(debugger, described))
    }

    fn data(&self, debugger: &Debugger, text: &str, write: bool) -> Result<Described, CommandError> {
        let (file, clauses) = (debugger.file(), Clauses::split(text));
        let (RegisterOfCell { register, cell }, values) = data(file, &with_cell(clauses.moments))?;
        let cell = match cell {
            NamedCell::Fixed(cell) => Some(cell),
            NamedCell::Updated => None,
            NamedCell::Source => return Err(CommandError::WatchedSource),
        };
        let about = if write { "writes" } else { "changes" };
        let name = &file.program().registers[register].name;
        let to = match &values {
            None => String::new(),
            Some(Values::Only(value)) => format!(" to {value}"),
            Some(Values::Except(value)) => format!(" to another value than {value}"),
        };
        let about = match cell {
            Some(cell) => format!("{about} of {name}[{cell}]{to}"),
            None => format!("{about} of {name} in any cell{to}"),
        };
        self.described(file, BreakOn::Data { register, cell, write, values }, &about, clauses)
    }

    /// Sets a breakpoint on a fault of the run, with [`Clauses`].
    ///
    /// # Errors
    ///
    /// Fails if a clause cannot be read.
    pub fn on_fault(
        &mut self,
        debugger: &Debugger,
        fault: Exception,
        clauses: &str,
    ) -> Result<Vec<Line>, CommandError> {
        if fault == Exception::MachinesDisagree && debugger.second().is_none() {
            return Err(CommandError::OneMachine);
        }
        let clauses = format!(" {clauses}");
        let clauses = Clauses::split(&clauses);
        if !clauses.moments.is_empty() {
            return Err(CommandError::NotClause(clauses.moments.to_owned()));
        }
        let described = self.described(debugger.file(), BreakOn::Exception(fault), fault.fault().about, clauses)?;
        Ok(self.add(debugger, described))
    }

    /// A breakpoint with the next number.
    fn described(
        &self,
        file: &File,
        on: BreakOn,
        about: &str,
        clauses: Clauses<'_>,
    ) -> Result<Described, CommandError> {
        let breakpoint = clauses.breakpoint(file, self.newest + 1, on)?;
        Ok(Described { breakpoint, about: format!("{about}{}", clauses.shown()), is_enabled: true })
    }

    fn add(&mut self, debugger: &Debugger, described: Described) -> Vec<Line> {
        let note = described.breakpoint.note(debugger.run()).map(Line::remark);
        let lines = [described.line()].into_iter().chain(note).collect();
        self.newest = described.breakpoint.id;
        self.set.push(described);
        lines
    }

    /// Goes to the next moment of a production, as in `break`, or of a register, as in `watch` with an optional
    /// `changes` after it, or to an earlier stop.
    ///
    /// # Errors
    ///
    /// Fails like `break` and `watch`.
    pub fn until(&self, debugger: &mut Debugger, text: &str, progress: &Progress) -> Result<Vec<Line>, CommandError> {
        let moments = Clauses::split(text).moments;
        let name = moments.split(['[', '=', '!']).next().unwrap_or_default();
        let name = name.split_whitespace().next().unwrap_or_default();
        let registers = &debugger.file().program().registers;
        let described = if registers.iter().any(|register| register.name == name) {
            // `changes` may follow the register, before the clauses.
            let start = text.find(moments).unwrap_or_default();
            let (moments, clauses) = text.split_at_checked(start + moments.len()).unwrap_or((text, ""));
            let moments = moments.strip_suffix(" changes").unwrap_or(moments);
            self.data(debugger, &format!("{moments}{clauses}"), false)?
        } else {
            self.layer(debugger, text, false)?
        };
        let note = described.breakpoint.note(debugger.run()).map(Line::remark);
        let resumed = self.resume(debugger, Direction::Forward, Some(&described), progress);
        Ok(note.into_iter().chain(resumed).collect())
    }

    /// Deletes a breakpoint.
    ///
    /// # Errors
    ///
    /// Fails if there is no breakpoint with this number.
    pub fn delete(&mut self, id: usize) -> Result<(), CommandError> {
        let before = self.set.len();
        self.set.retain(|described| described.breakpoint.id != id);
        if self.set.len() < before { Ok(()) } else { Err(CommandError::UnknownBreakpoint(id)) }
    }

    /// Enables or disables a breakpoint.
    ///
    /// # Errors
    ///
    /// Fails if there is no breakpoint with this number.
    pub fn enable(&mut self, id: usize, enable: bool) -> Result<Vec<Line>, CommandError> {
        let found = self.set.iter_mut().find(|described| described.breakpoint.id == id);
        let described = found.ok_or(CommandError::UnknownBreakpoint(id))?;
        described.is_enabled = enable;
        Ok(vec![described.line()])
    }

    /// The breakpoints, a line each.
    pub fn list(&self) -> Vec<Line> {
        if self.set.is_empty() {
            return vec![Line::remark("no breakpoints")];
        }
        self.set.iter().map(Described::line).collect()
    }

    /// Goes to the next stop, or to the end of the run in that direction.
    pub fn run(&self, debugger: &mut Debugger, direction: Direction, progress: &Progress) -> Vec<Line> {
        self.resume(debugger, direction, None, progress)
    }

    /// Goes to the next stop with one more breakpoint, which is not named at its stop.
    fn resume(
        &self,
        debugger: &mut Debugger,
        direction: Direction,
        once: Option<&Described>,
        progress: &Progress,
    ) -> Vec<Line> {
        let enabled = self.set.iter().chain(once).filter(|described| described.is_enabled);
        let enabled: Vec<Breakpoint> = enabled.map(|described| described.breakpoint.clone()).collect();
        let Resumed { hit, logs, paused } = debugger.resume(direction, &enabled, progress);
        let mut lines: Vec<Line> = logs.into_iter().map(Line::plain).collect();
        match hit {
            Some(hit) => {
                let stopped = self.set.iter().filter(|described| hit.ids.contains(&described.breakpoint.id));
                lines.extend(stopped.map(|described| described.stopped(hit.moment.cell)));
            }
            None if paused => lines.push(Line::remark(INTERRUPTED)),
            None if direction == Direction::Forward => {}
            None => lines.push(Line::remark(AT_START)),
        }
        lines.extend(here(debugger));
        lines
    }
}

/// The remark when the user interrupts a command.
pub const INTERRUPTED: &str = "interrupted";
/// The remark when a movement back reaches the start.
pub const AT_START: &str = "this is the start of the run";

/// A text such as `field == XQ` with a cell after its first name, which stands for all cells.
fn with_cell(text: &str) -> String {
    let code = tokenize(text).code;
    let end = match code.as_slice() {
        [name, others @ ..] if others.first().is_none_or(|next| next.kind != Kind::OpenBracket) => name.span.end,
        _ => return text.to_owned(),
    };
    let (name, rest) = text.split_at_checked(end as usize).unwrap_or((text, ""));
    format!("{name}[N]{rest}")
}

/// Reads a register of a cell, such as `field[5]`, and the values in a comparison after it, such as `field[5] == XQ`.
fn data(file: &File, text: &str) -> Result<(RegisterOfCell, Option<Values>), CommandError> {
    let compares = |kind| matches!(kind, Kind::Equal | Kind::NotEqual | Kind::Assign | Kind::In | Kind::Not);
    if !tokenize(text).code.iter().any(|token| compares(token.kind)) {
        return Ok((RegisterOfCell::parse(file, text)?, None));
    }
    match DebugCondition::parse(file, text)?.clauses.as_slice() {
        [Clause::Values { register, cell, equal, values: Listed::One(value) }] => {
            let values = if *equal { Values::Only(value.clone()) } else { Values::Except(value.clone()) };
            Ok((RegisterOfCell { register: *register, cell: *cell }, Some(values)))
        }
        _ => Err(CommandError::NotOneValue),
    }
}

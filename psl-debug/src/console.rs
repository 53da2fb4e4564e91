//! The console: commands as text, for a terminal and for clients without buttons.

mod ablation;
mod breakpoints;
mod catalogue;
mod clauses;
mod command;
mod completions;
mod error;
mod here;
mod layers;
mod line;
mod tables;
mod target;

use self::breakpoints::{AT_START, Breakpoints, INTERRUPTED};
pub use self::{
    breakpoints::Described,
    catalogue::{COMMANDS, CommandHelp},
    command::{Command, PartialMoment, Target},
    completions::{Completion, CompletionKind, completions},
    error::CommandError,
    line::Line,
};
use super::{
    answers::{AnswerLine, from_text, last_text, why_text},
    debugged_run::{Debugger, Moved, Movement},
    error::DebugError,
    expression::evaluate,
    gold_difference::gold_difference,
    timeline::Moment,
};
use psl_program::Progress;
use psl_render::grid::Part;
use psl_runtime::CellId;

/// The state of a session between its commands.
#[derive(Debug, Default)]
pub struct Console {
    /// The maximum width of a table, in columns, if possible.
    width: Option<usize>,
    /// The movement that an empty line repeats.
    last: Option<Command>,
    /// The layer that `why` explains until the debugger moves.
    subject: Option<Subject>,
    breakpoints: Breakpoints,
}

/// A layer that `diff` has found.
#[derive(Clone, Copy, Debug)]
struct Subject {
    /// The moment of the debugger after `diff`.
    from: Moment,
    /// The moment of the layer.
    about: Moment,
}

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The lines to show.
    pub lines: Vec<Line>,
    /// Whether the session ends.
    pub quit: bool,
}

impl Answer {
    /// An answer of one line.
    pub fn of(line: Line) -> Self {
        Self { lines: vec![line], quit: false }
    }
}

impl Console {
    /// The start of a session. Tables are at most `width` columns wide, if possible.
    pub fn new(width: Option<usize>) -> Self {
        Self { width, ..Self::default() }
    }

    /// The answer before the first command: the current moment.
    pub fn start(debugger: &Debugger) -> Answer {
        Answer { lines: here::here(debugger), quit: false }
    }

    /// The breakpoints, in the order of their numbers.
    pub fn breakpoints(&self) -> &[Described] {
        self.breakpoints.all()
    }

    /// Executes a command.
    ///
    /// # Errors
    ///
    /// Fails if the command does not suit the run. The debugger then stays where it was.
    pub fn execute(
        &mut self,
        debugger: &mut Debugger,
        command: &Command,
        progress: &Progress,
    ) -> Result<Answer, CommandError> {
        if matches!(command, Command::Move(..) | Command::Run(_) | Command::Until(_)) {
            self.last = Some(command.clone());
        }
        let lines = match command {
            Command::Again => return self.again(debugger, progress),
            Command::Quit => return Ok(Answer { lines: Vec::new(), quit: true }),
            Command::Move(movement, count) => walk(debugger, *movement, *count, progress),
            Command::Run(direction) => self.breakpoints.run(debugger, *direction, progress),
            Command::Until(text) => self.breakpoints.until(debugger, text, progress)?,
            Command::Break { text, everywhere } => self.breakpoints.on_layer(debugger, text, *everywhere)?,
            Command::Watch { text, write } => self.breakpoints.on_data(debugger, text, *write)?,
            Command::Catch { fault, clauses } => self.breakpoints.on_fault(debugger, *fault, clauses)?,
            Command::Breakpoints => self.breakpoints.list(),
            Command::Delete(id) => {
                self.breakpoints.delete(*id)?;
                Vec::new()
            }
            Command::Enable(id) => self.breakpoints.enable(*id, true)?,
            Command::Disable(id) => self.breakpoints.enable(*id, false)?,
            Command::GoTo(target) => {
                let moment = target::moment(debugger, target, progress)?;
                debugger.go_to(moment);
                here::here(debugger)
            }
            Command::Cell(cell) => {
                let cell = debugger.cell(*cell)?;
                debugger.set_cell(cell)?;
                here::here(debugger)
            }
            Command::Set { register, value } => {
                debugger.change_named(register, value, progress)?;
                here::here(debugger)
            }
            Command::Ablate(None) => ablation::list(debugger),
            Command::Ablate(Some(layers)) => {
                let lines = ablation::ablate(debugger, layers, progress)?;
                self.subject = None;
                lines
            }
            Command::Restart => {
                debugger.restart(progress);
                here::here(debugger)
            }
            Command::Where => here::frames(debugger),
            Command::List => here::list(debugger),
            Command::Registers => tables::registers(debugger),
            Command::Table => tables::table(debugger, self.width),
            Command::Continuation => vec![Line::plain(here::symbols(debugger).join(" "))],
            Command::Print(text) => {
                let value = evaluate(debugger.file(), debugger.run(), debugger.moment(), text)?;
                vec![Line::plain(value)]
            }
            Command::Why(cells) => self.why(debugger, *cells)?,
            Command::From(text) => {
                links(debugger, from_text(debugger.file(), debugger.run(), debugger.moment(), text)?)
            }
            Command::Last(text) => {
                links(debugger, last_text(debugger.file(), debugger.run(), debugger.moment(), text)?)
            }
            Command::Diff => self.difference(debugger, progress)?,
            Command::Help(name) => {
                let entry = name.map(catalogue::find).transpose()?;
                catalogue::help(entry).into_iter().map(Line::plain).collect()
            }
        };
        Ok(Answer { lines, quit: false })
    }

    /// The conditions between two cells, or between the cell of the moment and the one that it attends to.
    fn why(&self, debugger: &Debugger, cells: Option<(usize, usize)>) -> Result<Vec<Line>, CommandError> {
        let subject = self.subject.filter(|subject| subject.from == debugger.moment());
        let moment = subject.map_or(debugger.moment(), |subject| subject.about);
        let (cell, source) = match cells {
            Some((cell, source)) => (debugger.cell(cell)?, debugger.cell(source)?),
            None => (moment.cell, attended(debugger, moment)?),
        };
        let place = subject.map(|_| Line::plain(format!("at {}:", here::way(debugger, moment))));
        let found = why_text(debugger.file(), debugger.run(), moment, cell, source)?;
        Ok(place.into_iter().chain(found.into_iter().map(|line| Line::plain(line.text))).collect())
    }

    /// Goes to the first symbol that differs from the expected one. Then `why` is about the layer that wrote it.
    fn difference(&mut self, debugger: &mut Debugger, progress: &Progress) -> Result<Vec<Line>, CommandError> {
        self.subject = None;
        let gold = debugger.gold().ok_or(CommandError::NoGold)?.to_owned();
        let found = loop {
            match gold_difference(debugger) {
                None if debugger.grow(progress) => {}
                found => break found,
            }
        };
        let Some(found) = found else {
            return Ok(vec![Line::plain(format!("no difference: the continuation is {gold}"))]);
        };
        debugger.go_to(found.moment);
        let expected = found.expected.as_deref().unwrap_or("the end");
        let got = found.got.as_deref().unwrap_or("the end");
        let mut lines = vec![Line { part: Part::Wrong, text: format!("expected {expected}, got {got}") }];
        let Some(about) = found.written else {
            lines.extend(here::here(debugger));
            return Ok(lines);
        };
        self.subject = Some(Subject { from: found.moment, about });
        lines.push(Line::plain(format!("the last layer that wrote it: goto {}", here::way(debugger, about))));
        lines.extend(here::here(debugger));
        let source = attended(debugger, about)?;
        lines.push(Line::remark(format!("`why` shows why cell {} attends to cell {source} there", about.cell)));
        Ok(lines)
    }

    fn again(&mut self, debugger: &mut Debugger, progress: &Progress) -> Result<Answer, CommandError> {
        match self.last.clone() {
            Some(last) => self.execute(debugger, &last, progress),
            None => Ok(Answer::default()),
        }
    }
}

/// Moves `count` times, or until the run ends.
fn walk(debugger: &mut Debugger, movement: Movement, count: usize, progress: &Progress) -> Vec<Line> {
    let mut moved = Moved::Yes;
    for _ in 0..count {
        moved = if progress.is_cancelled() { Moved::Paused } else { debugger.move_by(movement, progress) };
        if moved != Moved::Yes {
            break;
        }
    }
    let remark = match moved {
        Moved::Yes => None,
        Moved::Start => Some(AT_START),
        Moved::End => Some("this is the end of the run"),
        Moved::Paused => Some(INTERRUPTED),
    };
    remark.map(Line::remark).into_iter().chain(here::here(debugger)).collect()
}

/// Lines about moments, each with the command that goes there.
fn links(debugger: &Debugger, found: Vec<AnswerLine>) -> Vec<Line> {
    let line = |AnswerLine { text, moment }| match moment {
        Some(moment) => Line::plain(format!("{text} (goto {})", here::way(debugger, moment))),
        None => Line::plain(text),
    };
    found.into_iter().map(line).collect()
}

/// The cell that the cell of a moment attends to.
fn attended(debugger: &Debugger, moment: Moment) -> Result<CellId, CommandError> {
    let row = debugger.timeline().row(moment).ok_or(DebugError::NotAtLayer)?;
    debugger.run().attends(row, moment.cell).ok_or(CommandError::AttendsToNoCell(moment.cell))
}

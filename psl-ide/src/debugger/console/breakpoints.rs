//! The breakpoints of a session, and the runs between them.

use super::{here::here, line::Line};
use crate::{
    debugger::{
        breakpoint::{BreakOn, Breakpoint, Exception, layer_with_label},
        condition::DebugCondition,
        expression::RegisterOfCell,
        resume::Resumed,
        search::Direction,
        session::Debugger,
        sight::NamedCell,
    },
    document_symbols::plain_label,
    file::File,
    progress::Progress,
};

/// The breakpoints of a session.
#[derive(Debug, Default)]
pub struct Breakpoints {
    set: Vec<Breakpoint>,
    /// Their descriptions, also of deleted ones. The first has the number 1.
    texts: Vec<String>,
}

impl Breakpoints {
    /// Sets a breakpoint on a production: `LINE`, `LABEL` or `layer L`, with ` if CONDITION`.
    ///
    /// # Errors
    ///
    /// Returns a message if there is no such production, or if the condition cannot be read.
    pub fn on_layer(&mut self, debugger: &Debugger, text: &str) -> Result<Vec<Line>, String> {
        let file = debugger.file();
        let (place, condition) = text.split_once(" if ").map_or((text, None), |(place, it)| (place, Some(it)));
        let condition = condition.map(|condition| DebugCondition::parse(file, condition)).transpose()?;
        let layer = layer(file, place.trim())?;
        let production = layer.checked_sub(1).and_then(|index| {
            file.checked().analysis.program.productions().get(index).map(|production| production.head.start)
        });
        let line = production.map_or(0, |start| file.line_index().line(start) + 1);
        let about = format!("layer {layer}, line {line}");
        let about = match text.split_once(" if ") {
            Some((_, condition)) => format!("{about}, if {}", condition.trim()),
            None => about,
        };
        Ok(self.add(BreakOn::Layer(layer), condition, about))
    }

    /// Sets a breakpoint on the changes of a register, such as `field[5]` or `field[5] == XQ`. With `write`, on all writes.
    ///
    /// # Errors
    ///
    /// Returns a message if the text is not a register of a cell.
    pub fn on_data(&mut self, debugger: &Debugger, text: &str, write: bool) -> Result<Vec<Line>, String> {
        let (place, value) = text.split_once("==").map_or((text, None), |(place, value)| (place, Some(value.trim())));
        let RegisterOfCell { register, cell } = RegisterOfCell::parse(debugger.file(), place.trim())?;
        let cell = match cell {
            NamedCell::Fixed(cell) => cell,
            NamedCell::Updated => debugger.moment().cell,
            NamedCell::Source => return Err("`n` is another cell at each layer: give its number".to_owned()),
        };
        let value = value.map(|value| constant(debugger.file(), value));
        let about = if write { "writes" } else { "changes" };
        let name = place.trim().split('[').next().unwrap_or_default();
        let to = value.as_ref().map_or_else(String::new, |value| format!(" to {value}"));
        let about = format!("{about} of {name}[{cell}]{to}");
        Ok(self.add(BreakOn::Data { register, cell, write, value }, None, about))
    }

    /// Sets a breakpoint on a fault of the run.
    pub fn on_fault(&mut self, fault: Exception) -> Vec<Line> {
        let about = match fault {
            Exception::EndlessBlock => "a repeat block that does not end",
            Exception::WrongSymbol => "a symbol that differs from the test's",
            Exception::LooksAhead => "a cell that attends to its right",
        };
        self.add(BreakOn::Exception(fault), None, about.to_owned())
    }

    fn add(&mut self, on: BreakOn, condition: Option<DebugCondition>, about: String) -> Vec<Line> {
        self.texts.push(about);
        let id = self.texts.len();
        self.set.push(Breakpoint { id, on, condition, hits: None, log: None });
        vec![self.line(id)]
    }

    /// Deletes a breakpoint.
    ///
    /// # Errors
    ///
    /// Returns a message if there is no breakpoint with this number.
    pub fn delete(&mut self, id: usize) -> Result<(), String> {
        let before = self.set.len();
        self.set.retain(|breakpoint| breakpoint.id != id);
        let missing = || format!("there is no breakpoint {id}: `breakpoints` lists them");
        if self.set.len() < before { Ok(()) } else { Err(missing()) }
    }

    /// The breakpoints, a line each.
    pub fn list(&self) -> Vec<Line> {
        if self.set.is_empty() {
            return vec![Line::remark("no breakpoints")];
        }
        self.set.iter().map(|breakpoint| self.line(breakpoint.id)).collect()
    }

    fn line(&self, id: usize) -> Line {
        let about = id.checked_sub(1).and_then(|index| self.texts.get(index)).map_or("", String::as_str);
        Line::plain(format!("breakpoint {id}: {about}"))
    }

    /// Goes to the next stop, or to the end of the run in that direction.
    pub fn run(&self, debugger: &mut Debugger, direction: Direction, progress: &Progress) -> Vec<Line> {
        let Resumed { hit, logs, paused } = debugger.resume(direction, &self.set, progress);
        let mut lines: Vec<Line> = logs.into_iter().map(Line::plain).collect();
        match hit {
            Some(hit) => lines.extend(hit.ids.into_iter().map(|id| self.line(id))),
            None if paused => lines.push(Line::remark(INTERRUPTED)),
            None if direction == Direction::Forward => {}
            None => lines.push(Line::remark(AT_START)),
        }
        lines.extend(here(debugger));
        lines
    }
}

/// The remark on a command that the user interrupts.
pub const INTERRUPTED: &str = "interrupted";
/// The remark on a way back that reaches the start.
pub const AT_START: &str = "this is the start of the run";

/// The layer on a line or after it, with a number, or with a label that starts with the text.
fn layer(file: &File, place: &str) -> Result<usize, String> {
    let productions = file.checked().analysis.program.productions();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    if let Some(layer) = place.strip_prefix("layer ").and_then(number) {
        let exists = (1..=productions.len()).contains(&layer);
        return exists.then_some(layer).ok_or_else(|| format!("the layers are 1 to {}", productions.len()));
    }
    if let Some(line) = number(place) {
        let mut ends = productions.iter().map(|production| file.line_index().line(production.span.end) + 1);
        let found = ends.position(|end| end >= line);
        return found.map(|index| index + 1).ok_or_else(|| format!("line {line} is after the last production"));
    }
    let starts = |label: &Option<String>| label.as_deref().is_some_and(|label| plain_label(label).starts_with(place));
    let of_start = || productions.iter().position(|production| starts(&production.label)).map(|index| index + 1);
    let found = layer_with_label(file, place).or_else(of_start).filter(|_| !place.is_empty());
    found.ok_or_else(|| format!("no production has the label `{place}`; give its line or `layer L`"))
}

/// The value of a constant, or the text itself.
fn constant(file: &File, name: &str) -> String {
    let mut constants = file.checked().analysis.program.constants.iter();
    let found = constants.find(|constant| constant.name == name);
    found.map_or_else(|| name.trim_matches('\'').to_owned(), |constant| constant.value.clone())
}

//! An answer of the debugger: the text of its console, and the place as data.

use psl_debug::{
    Debugger,
    console::{Answer, Command, Console, Described, Line, completions},
    evaluate,
};
use psl_program::Progress;
use psl_render::grid::Part;
use psl_runtime::{CellId, record::RowId};
use psl_syntax::LineIndex;
use serde::Serialize;

use super::run::Run;
use crate::positions::unit;

/// An answer of the debugger.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Debugged<'a> {
    /// The answer to the command.
    pub lines: Vec<DebugLine>,
    /// Whether the command failed.
    pub failed: bool,
    /// Whether the session has ended. The next one has begun.
    pub quit: bool,
    pub place: Place,
    pub stops: Vec<Stop>,
    /// The values of the watched expressions, in their order.
    pub watched: Vec<Watched>,
    /// The name of a run with changed registers or ablated layers.
    pub what_if: Option<String>,
    /// The shown run, if the command has replaced it.
    pub run: Option<Run<'a>>,
}

/// A line of the console.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DebugLine {
    /// `title`, `value`, `remark` or `wrong`.
    kind: &'static str,
    text: String,
}

/// The place of the debugger.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    /// The place, what the layer does to the cell, and the line of the program.
    lines: Vec<DebugLine>,
    step: usize,
    /// The row that the place is about. Null at the start of a cell.
    row: Option<usize>,
    cell: usize,
}

/// A breakpoint.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stop {
    id: usize,
    text: String,
    enabled: bool,
}

/// The value of an expression, or the reason why it has none.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Watched {
    value: String,
    failed: bool,
}

/// The result of a command.
pub struct Executed {
    lines: Vec<Line>,
    failed: bool,
    quit: bool,
    /// Whether the run is another one now.
    pub is_replaced: bool,
}

/// Goes to the row and the cell that the page shows, if given, and executes a command.
pub fn execute(
    debugger: &mut Debugger,
    console: &mut Console,
    at: Option<(Option<usize>, usize)>,
    command: Option<&str>,
) -> Executed {
    let near = |(row, cell): (Option<usize>, usize)| {
        debugger.timeline().near_row(row.map(RowId::new), CellId::of_number(cell)?)
    };
    if let Some(moment) = at.and_then(near) {
        debugger.go_to(moment);
    }
    let progress = Progress::default();
    let before = (debugger.changes(), debugger.ablated().clone());
    let answer = command.map_or(Ok(Answer::default()), |line| {
        Command::parse(line).and_then(|command| console.execute(debugger, &command, &progress))
    });
    let (lines, failed, quit) = match answer {
        Ok(Answer { lines, quit }) => (lines, false, quit),
        Err(error) => (vec![Line { part: Part::Wrong, text: format!("error: {error}") }], true, false),
    };
    if quit {
        *console = Console::new(None);
        debugger.restart(&progress);
    }
    // The page shows whole runs.
    while debugger.grow(&progress) {}
    let is_replaced = before != (debugger.changes(), debugger.ablated().clone());
    Executed { lines, failed, quit, is_replaced }
}

/// Describes the result of a command, and the place of the debugger.
pub fn debugged<'a>(
    executed: Executed,
    debugger: &Debugger,
    console: &Console,
    watch: &[String],
    run: Option<Run<'a>>,
) -> Debugged<'a> {
    let moment = debugger.moment();
    let value = |text: &String| match evaluate(debugger.file(), debugger.run(), moment, text) {
        Ok(value) => Watched { value, failed: false },
        Err(error) => Watched { value: error.to_string(), failed: true },
    };
    Debugged {
        lines: executed.lines.into_iter().map(line).collect(),
        failed: executed.failed,
        quit: executed.quit,
        place: Place {
            lines: Console::start(debugger).lines.into_iter().map(line).collect(),
            step: moment.step,
            row: debugger.timeline().row_about(moment).map(RowId::index),
            cell: moment.cell.number(),
        },
        stops: console.breakpoints().iter().map(stop).collect(),
        watched: watch.iter().map(value).collect(),
        what_if: debugger.what_if(),
        run,
    }
}

fn line(Line { part, text }: Line) -> DebugLine {
    let kind = match part {
        Part::Title => "title",
        Part::Frame => "remark",
        Part::Wrong => "wrong",
        _ => "value",
    };
    DebugLine { kind, text }
}

fn stop(Described { breakpoint, about, is_enabled }: &Described) -> Stop {
    Stop { id: breakpoint.id, text: about.clone(), enabled: *is_enabled }
}

/// A text that completes a command.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Completed {
    /// The start of the text that it replaces, in UTF-16 code units.
    start: u32,
    text: String,
}

/// The completions of a command that is typed so far.
pub fn complete(debugger: &Debugger, typed: &str) -> Vec<Completed> {
    let lines = LineIndex::new(typed);
    let found = completions(debugger.file(), typed).into_iter();
    found.map(|found| Completed { start: unit(&lines, found.start as u32), text: found.text }).collect()
}

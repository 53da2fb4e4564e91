//! Answers for the console: why a cell attends to another one, and the origin of a value.

use std::collections::{HashSet, VecDeque};

use psl_program::File;
use psl_runtime::{
    CellId,
    record::{Link, LinkKind, RecordedRun, RowId, Time, TimedRegister, last_write, matches, origin, tested, why},
};
use psl_syntax::program::RegisterId;

use super::{
    cell_view::CellView,
    condition::values,
    error::DebugError,
    expression::RegisterOfCell,
    timeline::{Moment, Timeline},
};

/// A line of an answer, and the moment that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLine {
    pub text: String,
    /// The target of the link in the line, if it has one.
    pub moment: Option<Moment>,
}

impl AnswerLine {
    fn new(text: String, moment: Option<Moment>) -> Self {
        Self { text, moment }
    }
}

/// Explains why cell N attends to cell n at the layer of a moment, or does not: each condition with both sides' values,
/// the cell that wins, and whether the layer is ablated.
///
/// # Errors
///
/// Fails if the moment is not at a layer, or a cell does not exist there.
pub fn why_text(
    file: &File,
    run: &RecordedRun,
    moment: Moment,
    cell: CellId,
    source: CellId,
) -> Result<Vec<AnswerLine>, DebugError> {
    let program = file.program();
    let row = CellView::at(run, moment).layer_row().ok_or(DebugError::NotAtLayer)?;
    let found = why(program, run, row, cell, source).ok_or(DebugError::CellAtRest { cell })?;
    if run.read_time(row, cell, source).is_none() {
        return Err(DebugError::CellAfterRead { cell: source, reader: cell });
    }
    let layer = run.rows()[row].layer;
    let production = program.productions().find(layer).copied();
    let conditions = production.map(|production| production.conditions.as_slice()).unwrap_or_default();
    let mut lines: Vec<AnswerLine> = conditions
        .iter()
        .zip(&found.conditions)
        .map(|(condition, result)| {
            let holds = if result.holds { "holds" } else { "does not hold" };
            let text = condition.span.of(file.text());
            AnswerLine::new(format!("{text} {holds}: {}", values(run, condition, result)), None)
        })
        .collect();
    if !found.visible {
        lines.push(AnswerLine::new(format!("cell {cell} does not see cell {source} at this layer"), None));
    }
    let matching = matches(program, run, row, cell).map(|matches| matches.cells).unwrap_or_default();
    let winner = run.attends(row, cell).map_or("no cell".to_owned(), |winner| format!("cell {winner}"));
    let list: Vec<String> = matching.iter().take(MOST_CELLS).map(CellId::to_string).collect();
    let more = if matching.len() > MOST_CELLS { ", …" } else { "" };
    let among = if matching.len() > 1 { format!(" of the matches {}{more}", list.join(", ")) } else { String::new() };
    let at = Timeline::new(run).at_row(row, cell);
    lines.push(AnswerLine::new(format!("cell {cell} attends to {winner}{among}"), at));
    if run.is_ablated(layer) {
        lines.push(AnswerLine::new(format!("layer {layer} is ablated: it writes nothing"), None));
    }
    Ok(lines)
}

/// The maximum number of cells in a line.
const MOST_CELLS: usize = 20;

/// The maximum number of lines on the way to an origin.
const MOST_LINKS: usize = 40;

/// Traces the value of a register, such as `field[5]`, back to its origin: a line for each register that held it, with
/// the moment before the layer that wrote it, or the start of the cell. A constant depends on the registers that its
/// production tested, so their lines follow, nearest first, back to the prompt. No register is listed twice.
///
/// # Errors
///
/// Fails if the text is not a register of a cell, or the cell does not exist at the moment.
pub fn from_text(file: &File, run: &RecordedRun, moment: Moment, text: &str) -> Result<Vec<AnswerLine>, DebugError> {
    let place = RegisterOfCell::parse(file, text)?;
    let (cell, time) = place.cell_and_time(&CellView::at(run, moment))?;
    let program = file.program();
    let mut open = VecDeque::from([(place.register, cell, time)]);
    let mut listed = HashSet::new();
    let mut lines = Vec::new();
    while let Some((register, cell, time)) = open.pop_front() {
        for (index, link) in origin(program, run, register, cell, time).into_iter().enumerate() {
            if !listed.insert((link.register, link.cell, link.row)) {
                break;
            }
            // A tested register that the machine sets, such as the position, needs no line.
            if index == 0 && link.kind == LinkKind::Machine && !lines.is_empty() {
                break;
            }
            if lines.len() == MOST_LINKS {
                let rest = "… at a layer above, `from` continues with a register that it copied or tested";
                lines.push(AnswerLine::new(rest.to_owned(), None));
                return Ok(lines);
            }
            let because = match (link.kind, link.row) {
                (LinkKind::Constant, Some(row)) => tested(program, run, row, link.cell),
                _ => Vec::new(),
            };
            lines.push(link_line(file, run, &link, &because));
            open.extend(because);
        }
    }
    Ok(lines)
}

/// A line about the origin of a value.
fn link_line(file: &File, run: &RecordedRun, link: &Link, because: &[TimedRegister]) -> AnswerLine {
    let by = link.row.map(|row| layer_text(run, row)).unwrap_or_default();
    let origin = match link.kind {
        LinkKind::Assigned => format!("{by} copies it"),
        LinkKind::Moved => format!("{by} moves a position"),
        LinkKind::Constant => {
            let tested = because.iter().map(|&(register, cell, time)| value_at(file, run, register, cell, time));
            format!("{by} writes a constant, because {}", tested.collect::<Vec<_>>().join(" and "))
        }
        LinkKind::Copied => {
            let before = run.copied(link.cell).map_or_else(String::new, |before| before.to_string());
            format!("the cell starts as cell {before} ends")
        }
        LinkKind::Prompt => "the prompt has it".to_owned(),
        LinkKind::Machine => "the machine sets it".to_owned(),
        LinkKind::Changed => "the debugger has changed it".to_owned(),
        LinkKind::Null => "nothing has set it".to_owned(),
    };
    AnswerLine::new(format!("{}: {origin}", value_of(file, run, link)), Some(moment_of(run, link.row, link.cell)))
}

/// The last write of a register, such as `symbol[5]`, with the moment before the layer that wrote it.
///
/// # Errors
///
/// Fails if the text is not a register of a cell, or the cell does not exist at the moment.
pub fn last_text(file: &File, run: &RecordedRun, moment: Moment, text: &str) -> Result<Vec<AnswerLine>, DebugError> {
    let place = RegisterOfCell::parse(file, text)?;
    let (cell, time) = place.cell_and_time(&CellView::at(run, moment))?;
    let value = value_at(file, run, place.register, cell, time);
    let write = last_write(run, place.register, cell, time);
    let text = write.map_or(format!("{value}: no layer has written it since the cell started"), |write| {
        let before = run.vocabulary().show(write.before);
        format!("{value}: {} writes it, before: {before}", layer_text(run, write.row))
    });
    Ok(vec![AnswerLine::new(text, Some(moment_of(run, write.map(|write| write.row), cell)))])
}

/// A register of a cell and its value, such as `field[5] = XQ`.
fn value_at(file: &File, run: &RecordedRun, register: RegisterId, cell: CellId, time: Time) -> String {
    let name = file.program().registers[register].name.as_str();
    format!("{name}[{cell}] = {}", run.vocabulary().show(run.value(register, cell, time)))
}

fn value_of(file: &File, run: &RecordedRun, link: &Link) -> String {
    value_at(file, run, link.register, link.cell, link.time)
}

/// A layer in its passes, such as `layer 12, pass 1.3`.
fn layer_text(run: &RecordedRun, row: RowId) -> String {
    let row = &run.rows()[row];
    let pass: Vec<String> = row.pass.iter().map(usize::to_string).collect();
    let pass = if pass.is_empty() { String::new() } else { format!(", pass {},", pass.join(".")) };
    format!("layer {}{pass}", row.layer)
}

/// The moment at which a cell reaches a row, or at which it starts.
fn moment_of(run: &RecordedRun, row: Option<RowId>, cell: CellId) -> Moment {
    let start = Moment { step: run.step_of(cell), index: 0, event: 0, cell };
    row.and_then(|row| Timeline::new(run).at_row(row, cell)).unwrap_or(start)
}

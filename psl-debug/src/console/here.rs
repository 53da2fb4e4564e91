//! The current moment in words, and the program around it.

use psl_program::Runner;
use psl_runtime::{
    CellId, ValueId,
    record::{Row, Time},
};
use psl_syntax::{
    plain_label,
    program::{Production, ProductionId, RegisterId},
};

use super::line::Line;
use crate::{
    debugged_run::Debugger,
    stack::{Frame, stack},
    step_place::StepPlace,
    timeline::Moment,
};

/// The number of lines of the program before and after the current one that `list` shows.
const AROUND: usize = 5;

/// The current moment: the place, what the layer does to the cell, and the line of the program.
pub fn here(debugger: &Debugger) -> Vec<Line> {
    let what_if = debugger.what_if().map_or(String::new(), |what_if| format!("{what_if}: "));
    let mut lines = vec![Line::title(format!("{what_if}{}", place(debugger)))];
    lines.extend(effect(debugger).map(|effect| Line::plain(format!("  {effect}"))));
    if let Some(number) = line_number(debugger) {
        lines.extend(source_lines(debugger, number, number, number));
    }
    lines
}

/// The program around the current place.
pub fn list(debugger: &Debugger) -> Vec<Line> {
    match line_number(debugger) {
        Some(number) => source_lines(debugger, number.saturating_sub(AROUND).max(1), number + AROUND, number),
        None => vec![Line::remark("no line of the program belongs to this place")],
    }
}

/// The frames of the stack, innermost first.
pub fn frames(debugger: &Debugger) -> Vec<Line> {
    let frames = stack(debugger).into_iter().zip(0..);
    let line = |(frame, number): (Frame, usize)| {
        let line = frame.span.map(|span| format!(", line {}", debugger.file().line_index().line(span.start) + 1));
        Line::plain(format!("#{number}  {}{}", frame.name, line.unwrap_or_default()))
    };
    frames.map(line).collect()
}

/// The current place in one line.
fn place(debugger: &Debugger) -> String {
    let moment = debugger.moment();
    let step = moment.step;
    let cell = || cell(debugger, moment.cell);
    match debugger.place() {
        StepPlace::Layer(row) => format!("step {step}, {}, {}", cell(), labeled(debugger, &row)),
        StepPlace::Block { block, pass } => format!("step {step}, {}, before block {block}{}", cell(), in_pass(&pass)),
        StepPlace::Until { block, pass } => format!("step {step}, {}, end of block {block}{}", cell(), in_pass(&pass)),
        StepPlace::Symbol => {
            let symbols = symbols(debugger);
            let symbol = symbols.last().map_or("∅", String::as_str);
            format!("step {step}, after the last layer: symbol {} is {symbol}", step + 1)
        }
        StepPlace::End => match debugger.run().outcome() {
            Ok(continuation) => format!("the run is complete: {}", continuation.shown()),
            Err(failure) => format!("the run failed: {}", failure.message),
        },
    }
}

/// The words for passes: `, pass 2.1`, or nothing.
pub fn in_pass(pass: &[usize]) -> String {
    let numbers: Vec<String> = pass.iter().map(usize::to_string).collect();
    if pass.is_empty() { String::new() } else { format!(", pass {}", numbers.join(".")) }
}

fn layer(Row { layer, pass }: &Row) -> String {
    format!("layer {layer}{}", in_pass(pass))
}

/// The layer with the label of its production.
pub fn labeled(debugger: &Debugger, row: &Row) -> String {
    let label = production(debugger, row.layer).and_then(|production| production.label.as_deref()).map(plain_label);
    label.map_or_else(|| layer(row), |label| format!("{} · {label}", layer(row)))
}

/// A cell with its symbol: `cell 7 (V)`.
pub fn cell(debugger: &Debugger, cell: CellId) -> String {
    let symbol = runner(debugger).and_then(|runner| runner.executable().registers.roles.symbol);
    let Some(symbol) = symbol else { return format!("cell {cell}") };
    let value = debugger.run().value(symbol, cell, debugger.timeline().time(debugger.moment()));
    format!("cell {cell} ({})", debugger.run().vocabulary().show(value))
}

/// The arguments of `goto` for a moment: `step 0 layer 12 pass 1.2 cell 7`.
pub fn way(debugger: &Debugger, moment: Moment) -> String {
    let row = match debugger.timeline().place(moment) {
        StepPlace::Layer(row) => format!(" {}", layer(&row).replace(',', "")),
        _ => String::new(),
    };
    format!("step {}{row} cell {}", moment.step, moment.cell)
}

/// The effect of the layer on the cell.
fn effect(debugger: &Debugger) -> Option<String> {
    let (run, moment) = (debugger.run(), debugger.moment());
    let row = debugger.timeline().row(moment)?;
    let update = run.update(row, moment.cell)?;
    let Some(attends) = update.attends else { return Some("attends to no cell: nothing changes".to_owned()) };
    let layer = run.rows()[row].layer;
    if run.is_ablated(layer) {
        return Some(format!("attends to {}: layer {layer} is ablated and sets nothing", cell(debugger, attends)));
    }
    let registers = &runner(debugger)?.executable().registers;
    let show = |value: Option<ValueId>| run.vocabulary().show(value);
    let set = |&(register, value): &(RegisterId, ValueId)| {
        let before = run.value(register, moment.cell, Time::before(row));
        let name = registers.name(register);
        let after = show(Some(value));
        if before == Some(value) {
            format!("{name} stays {after}")
        } else {
            format!("{name} {} → {after}", show(before))
        }
    };
    let set: Vec<String> = update.set.iter().map(set).collect();
    let set = if set.is_empty() { "sets nothing".to_owned() } else { set.join(", ") };
    Some(format!("attends to {}: {set}", cell(debugger, attends)))
}

/// The symbols generated up to the current moment.
pub fn symbols(debugger: &Debugger) -> Vec<String> {
    let generated = debugger.moment().step + usize::from(debugger.place() == StepPlace::Symbol);
    debugger.symbols().into_iter().take(generated).collect()
}

/// The compiled program.
pub fn runner(debugger: &Debugger) -> Option<&Runner> {
    debugger.file().runner().ok()
}

fn production(debugger: &Debugger, layer: ProductionId) -> Option<&Production> {
    debugger.file().program().productions().find(layer).copied()
}

/// The number of the line of the current place.
fn line_number(debugger: &Debugger) -> Option<usize> {
    let span = stack(debugger).first().and_then(|frame| frame.span)?;
    Some(debugger.file().line_index().line(span.start) + 1)
}

/// The lines of the program from `first` to `last`, with a mark at the current one, by their numbers.
fn source_lines(debugger: &Debugger, first: usize, last: usize, current: usize) -> Vec<Line> {
    let lines = debugger.file().text().lines().zip(1..).skip(first - 1).take(last + 1 - first);
    let width = last.to_string().len();
    let line = |(text, number): (&str, usize)| {
        let mark = if number == current { '>' } else { ' ' };
        let text = format!("{mark} {number:width$} | {text}");
        let text = text.trim_end().to_owned();
        if number == current { Line::plain(text) } else { Line::remark(text) }
    };
    lines.map(line).collect()
}

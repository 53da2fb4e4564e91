//! One update, with all that it read and wrote.

use psl_runtime::{
    CellId,
    record::{RowId, Time, matches, why as explain},
};
use psl_syntax::{
    program::{Production, RegisterId, Select},
    token::{Kind, tokenize},
};
use serde::Serialize;

use super::{
    entries::{SlotEntry, entries},
    term::{Term, term},
    why::{Why, why},
};
use crate::{no_answer::NoAnswer, positions::LineSpan, view::View};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UpdateDetail<'a> {
    row: usize,
    cell: usize,
    layer: usize,
    pass: &'a [usize],
    /// Whether the cell rests. If so, the fields below are empty, except `before` and `after`.
    rests: bool,
    /// The cell attended to, or null if the layer does not fire.
    attends: Option<usize>,
    /// All cells that match, of which the leftmost or the rightmost wins.
    matches: Vec<usize>,
    /// About the cell attended to or, if there is none, the one that meets the most conditions.
    why: Option<Why<'a>>,
    /// The query, and the key of the same cell.
    entries: Vec<SlotEntry<'a>>,
    set: Vec<Assigned<'a>>,
    /// The value of each register before the layer.
    before: Vec<Option<&'a str>>,
    /// The value of each register after the layer.
    after: Vec<Option<&'a str>>,
    /// The value of each register of the cell attended to, at the time when it was read.
    read: Option<Vec<Option<&'a str>>>,
}

/// A register that the update sets.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Assigned<'a> {
    register: usize,
    value: &'a str,
    source: Term<'a>,
    /// The source, as written.
    text: &'a str,
    /// The whole assignment.
    span: LineSpan,
}

/// Describes the update of a cell at a row.
///
/// # Errors
///
/// Fails if the row or the cell is unknown.
pub fn update(view: View<'_>, row: RowId, cell: CellId) -> Result<UpdateDetail<'_>, NoAnswer> {
    let run = view.run;
    let psl_runtime::record::Row { layer, pass } = &run.rows()[row];
    let mut detail = UpdateDetail {
        row: row.index(),
        cell: cell.number(),
        layer: layer.number(),
        pass,
        rests: true,
        attends: None,
        matches: Vec::new(),
        why: None,
        entries: Vec::new(),
        set: Vec::new(),
        before: view.state(cell, Time::before(row)),
        after: view.state(cell, Time::after(row)),
        read: None,
    };
    let (Some(update), Some(production)) = (run.update(row, cell), view.production(row)) else { return Ok(detail) };
    let found = matches(view.program(), run, row, cell).unwrap_or_default();
    let source = update.attends.or_else(|| candidate(view, production, row, cell)).unwrap_or(cell);
    let of_source = |time| run.state(source, time);
    let read = run.read_time(row, cell, source);
    let assigned = |(register, value): (RegisterId, psl_runtime::ValueId)| {
        let mut assignments = production.assignments.iter();
        let assignment = assignments.find(|assignment| assignment.target == register)?;
        Some(Assigned {
            register: register.index(),
            value: view.value(Some(value))?,
            source: term(view, assignment.source, Some(value)),
            text: source_text(view.written(assignment.span)),
            span: view.line_span(assignment.span),
        })
    };
    detail.rests = false;
    detail.attends = update.attends.map(CellId::number);
    detail.matches = found.cells.into_iter().map(CellId::number).collect();
    detail.why = Some(why(view, row, cell, source)?);
    detail.entries =
        read.map_or_else(Vec::new, |time| entries(view, *layer, &run.state(cell, Time::before(row)), &of_source(time)));
    detail.set = update.set.into_iter().filter_map(assigned).collect();
    detail.read = update.attends.and(read).map(|time| view.state(source, time));
    Ok(detail)
}

/// The source of an assignment, as written.
fn source_text(assignment: &str) -> &str {
    let sign = tokenize(assignment).code.into_iter().find(|token| token.kind == Kind::Assign);
    let source = sign.and_then(|sign| assignment.get(sign.span.end as usize..));
    source.unwrap_or_default().trim_start()
}

/// The visible cell that meets the most conditions. Of several, the layer would choose this one.
fn candidate(view: View<'_>, production: &Production, row: RowId, cell: CellId) -> Option<CellId> {
    let met = |source| {
        let why = explain(view.program(), view.run, row, cell, source).filter(|why| why.visible)?;
        Some((why.conditions.iter().filter(|condition| condition.holds).count(), source))
    };
    let candidates = CellId::first(view.run.cells()).filter_map(met);
    let best = match production.select {
        Select::Rightmost => candidates.max_by_key(|(met, _)| *met),
        // `max_by_key` returns the last of equal elements.
        Select::Leftmost => candidates.rev().max_by_key(|(met, _)| *met),
    };
    best.map(|(_, source)| source)
}

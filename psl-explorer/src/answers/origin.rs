//! The chain of writes and copies of a value, back to its origin.

use psl_runtime::record::LinkKind as Kind;
use psl_syntax::program::RegisterId;
use serde::Serialize;

use crate::view::View;

/// A register of a cell at a time, and how it got its value.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Link<'a> {
    register: usize,
    cell: usize,
    time: usize,
    value: Option<&'a str>,
    /// The row that wrote the value, or before which it was changed. Null if the cell started with it.
    row: Option<usize>,
    kind: LinkKind,
    text: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum LinkKind {
    Assigned,
    Moved,
    Copied,
    Constant,
    Prompt,
    Machine,
    Null,
    Changed,
}

/// Traces a value back to its origin. The first link is the value itself.
pub fn origin(view: View<'_>, register: RegisterId, cell: usize, time: usize) -> Vec<Link<'_>> {
    let link = |link: psl_runtime::record::Link| Link {
        register: link.register.index(),
        cell: link.cell,
        time: link.time,
        value: view.value(link.value),
        row: link.row,
        kind: match link.kind {
            Kind::Assigned => LinkKind::Assigned,
            Kind::Moved => LinkKind::Moved,
            Kind::Copied => LinkKind::Copied,
            Kind::Constant => LinkKind::Constant,
            Kind::Prompt => LinkKind::Prompt,
            Kind::Machine => LinkKind::Machine,
            Kind::Null => LinkKind::Null,
            Kind::Changed => LinkKind::Changed,
        },
        text: text(view, link),
    };
    psl_runtime::record::origin(view.program(), view.run, register, cell, time).into_iter().map(link).collect()
}

fn text(view: View<'_>, link: psl_runtime::record::Link) -> String {
    let assigned = || {
        let mut assignments = view.production(link.row?)?.assignments.iter();
        let assignment = assignments.find(|assignment| assignment.target == link.register)?;
        Some(view.written(assignment.span).to_owned())
    };
    match link.kind {
        Kind::Assigned | Kind::Moved | Kind::Constant => assigned().unwrap_or_default(),
        Kind::Copied => format!("cell {} starts as a copy of cell {}", link.cell, link.cell.saturating_sub(1)),
        Kind::Prompt => format!("the prompt sets it in cell {}", link.cell),
        Kind::Machine => format!("the machine sets it in cell {}", link.cell),
        Kind::Null => format!("cell {} starts without a value", link.cell),
        Kind::Changed => format!("a change sets it in cell {}", link.cell),
    }
}

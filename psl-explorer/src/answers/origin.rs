//! The chain of writes and copies of a value, back to its origin.

use psl_runtime::{
    CellId,
    record::{LinkKind as Kind, RowId, Time},
};
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
pub fn origin(view: View<'_>, register: RegisterId, cell: CellId, time: Time) -> Vec<Link<'_>> {
    let link = |link: psl_runtime::record::Link| Link {
        register: link.register.index(),
        cell: link.cell.number(),
        time: link.time.rows(),
        value: view.value(link.value),
        row: link.row.map(RowId::index),
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
        Kind::Copied => {
            let before = view.run.copied(link.cell).map_or_else(String::new, |before| before.to_string());
            format!("cell {} starts as a copy of cell {before}", link.cell)
        }
        Kind::Prompt => format!("the prompt sets it in cell {}", link.cell),
        Kind::Machine => format!("the machine sets it in cell {}", link.cell),
        Kind::Null => format!("cell {} starts without a value", link.cell),
        Kind::Changed => format!("a change sets it in cell {}", link.cell),
    }
}

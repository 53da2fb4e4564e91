//! The writes of a register.

use psl_runtime::{CellId, record::history as writes};
use psl_syntax::program::RegisterId;
use serde::Serialize;

use crate::view::View;

/// A write to the register.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Write<'a> {
    row: usize,
    before: Option<&'a str>,
    value: &'a str,
    /// The cell attended to.
    attends: usize,
}

/// The writes of a register in a cell, in order.
pub fn history(view: View<'_>, register: RegisterId, cell: CellId) -> Vec<Write<'_>> {
    let write = |write: psl_runtime::record::Write| {
        let psl_runtime::record::Write { row, before, value, attends } = write;
        Some(Write {
            row: row.index(),
            before: view.value(before),
            value: view.value(Some(value))?,
            attends: attends.number(),
        })
    };
    writes(view.run, register, cell).into_iter().filter_map(write).collect()
}

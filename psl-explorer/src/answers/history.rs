//! The writes of a register.

use psl_record::history as writes;
use serde::Serialize;

use crate::view::View;

/// A write of a value.
#[derive(Serialize)]
pub struct Write<'a> {
    row: usize,
    before: Option<&'a str>,
    value: Option<&'a str>,
    attends: usize,
}

/// The writes of a register in a cell, in order.
pub fn history(view: View<'_>, register: usize, cell: usize) -> Vec<Write<'_>> {
    let write = |write: psl_record::Write| Write {
        row: write.row,
        before: view.value(write.before),
        value: view.value(Some(write.value)),
        attends: write.attends,
    };
    writes(view.run, register, cell).into_iter().map(write).collect()
}

//! A table of a parse.

use psl_runtime::{ValueId, Vocabulary};
use serde::Serialize;

/// A table with a column for each cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseTable {
    /// The title.
    pub title: String,
    /// The rows.
    pub rows: Vec<ParseRow>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseRow {
    /// The long name of the register, or empty for the row below the registers, which names the cells read.
    pub register: String,
    /// One entry for each column.
    pub cells: Vec<ParseCell>,
}

/// An entry of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseCell {
    /// The cell, 1-based.
    pub cell: usize,
    /// The value, or null.
    pub value: Option<String>,
    /// Whether the generation of the symbol reads or writes it.
    pub marked: bool,
}

impl ParseCell {
    pub(super) fn new(vocabulary: &Vocabulary, cell: usize, value: Option<ValueId>, marked: bool) -> Self {
        Self { cell, value: value.and_then(|value| vocabulary.text(value)).map(str::to_owned), marked }
    }
}

//! Tables of a parse.

use psl_runtime::{CellId, ValueId, Vocabulary};
use serde::Serialize;

/// A table with a column for each cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseTable {
    pub title: String,
    pub rows: Vec<ParseRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseRow {
    /// The long name of the register. Empty in the last row, which names the cells read.
    pub register: String,
    /// One for each column.
    pub cells: Vec<ParseCell>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseCell {
    /// 1-based.
    pub cell: usize,
    pub value: Option<String>,
    /// Whether the generation of the symbol reads or writes it.
    pub marked: bool,
}

impl ParseCell {
    pub(super) fn new(vocabulary: &Vocabulary, cell: CellId, value: Option<ValueId>, marked: bool) -> Self {
        Self { cell: cell.number(), value: value.and_then(|value| vocabulary.text(value)).map(str::to_owned), marked }
    }
}

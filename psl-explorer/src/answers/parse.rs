//! The parse in a program's registers, as a tree and as tables.

use psl_runtime::record::Time;
use serde::Serialize;

use crate::{
    parse_pictures::{ParseNode, ParseTable, parse_tables, parse_tree},
    view::View,
};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Parse {
    /// Null if the program has no registers named `region` and `field`. Then there are no tables either.
    tree: Option<ParseNode>,
    tables: Vec<ParseTable>,
}

/// The parse at a time. With a cell, the tables show how it generates its symbol.
pub fn parse(view: View<'_>, time: Time, cell: Option<usize>) -> Parse {
    Parse {
        tree: parse_tree(view.program(), view.run, time),
        tables: parse_tables(view.program(), view.run, time, cell),
    }
}

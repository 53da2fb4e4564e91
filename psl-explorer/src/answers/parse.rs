//! The parse in a program's registers, as a tree and as tables.

use serde::Serialize;

use crate::{
    parse_pictures::{ParseCell, ParseNode, ParseRow, ParseTable, parse_tables, parse_tree},
    view::View,
};

/// The pictures of a parse; none if the program has no registers named `region` and `field`.
#[derive(Serialize)]
pub struct Parse {
    tree: Option<Node>,
    tables: Vec<Table>,
}

#[derive(Serialize)]
struct Node {
    label: String,
    first: usize,
    last: usize,
    children: Vec<Node>,
}

#[derive(Serialize)]
struct Table {
    title: String,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    register: String,
    cells: Vec<ParseEntry>,
}

#[derive(Serialize)]
struct ParseEntry {
    cell: usize,
    value: Option<String>,
    marked: bool,
}

/// The parse at a time. With a cell, the tables are those of the symbol that it generates.
pub fn parse(view: View<'_>, time: usize, cell: Option<usize>) -> Parse {
    Parse {
        tree: parse_tree(view.program(), view.run, time).map(node),
        tables: parse_tables(view.program(), view.run, time, cell).into_iter().map(table).collect(),
    }
}

fn node(ParseNode { label, first, last, children }: ParseNode) -> Node {
    Node { label, first, last, children: children.into_iter().map(node).collect() }
}

fn table(ParseTable { title, rows }: ParseTable) -> Table {
    let entry = |ParseCell { cell, value, marked }: ParseCell| ParseEntry { cell, value, marked };
    let row = |ParseRow { register, cells }: ParseRow| Row { register, cells: cells.into_iter().map(entry).collect() };
    Table { title, rows: rows.into_iter().map(row).collect() }
}

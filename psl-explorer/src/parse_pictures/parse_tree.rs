//! The parse as a tree (35) of regions, fields and symbols.

use psl_runtime::{
    CellId,
    record::{RecordedRun, Time},
};
use psl_syntax::{Program, program::RegisterId};
use serde::Serialize;

use super::parse_registers::ParseRegisters;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParseNode {
    /// `S` for the root (31), otherwise the region, the field or the symbol.
    pub label: String,
    /// The first cell, 1-based.
    pub first: usize,
    /// The last cell, inclusive.
    pub last: usize,
    /// From left to right. A symbol has none.
    pub children: Vec<ParseNode>,
}

/// Returns the parse at a time. Adjacent cells with the same region are a node, and in it those with the same field.
/// Cells without a region or field belong to the node above. Returns `None` if the program has no registers named
/// `region` and `field`.
pub fn parse_tree(program: &Program, run: &RecordedRun, time: Time) -> Option<ParseNode> {
    let registers = ParseRegisters::of(program)?;
    let cells: Vec<CellId> = CellId::first(run.cells()).collect();
    let tree = Tree { run, time, registers: &registers };
    Some(node("S", &cells, tree.parts(&cells, &[registers.region, registers.field])))
}

struct Tree<'a> {
    run: &'a RecordedRun,
    time: Time,
    registers: &'a ParseRegisters,
}

impl Tree<'_> {
    /// Groups cells by the values of registers, from the outermost to the innermost.
    fn parts(&self, cells: &[CellId], registers: &[RegisterId]) -> Vec<ParseNode> {
        let value = |register, cell: &CellId| {
            self.run.value(register, *cell, self.registers.shown_time(self.run, *cell, self.time))
        };
        let show = |value| self.run.vocabulary().show(value);
        let Some((&register, inner)) = registers.split_first() else {
            let symbol = |cell: &[CellId]| {
                node(show(cell.first().and_then(|it| value(self.registers.symbol, it))), cell, Vec::new())
            };
            return cells.chunks(1).map(symbol).collect();
        };
        let mut nodes = Vec::new();
        for part in cells.chunk_by(|left, right| value(register, left) == value(register, right)) {
            let children = self.parts(part, inner);
            match part.first().and_then(|cell| value(register, cell)) {
                Some(value) => nodes.push(node(show(Some(value)), part, children)),
                None => nodes.extend(children),
            }
        }
        nodes
    }
}

fn node(label: &str, cells: &[CellId], children: Vec<ParseNode>) -> ParseNode {
    let [first, last] = [cells.first(), cells.last()].map(|cell| cell.map_or(0, |cell| cell.number()));
    ParseNode { label: label.to_owned(), first, last, children }
}

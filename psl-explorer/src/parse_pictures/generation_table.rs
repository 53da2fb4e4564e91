//! The generation of one symbol as a table: the entries that a cell reads to find the next symbol, and those that it
//! writes for the next cell, (39), (44).

use psl_ide::code;
use psl_runtime::{CellId, record::RecordedRun};
use psl_syntax::{Program, program::RegisterId};

use super::{
    generation::Generation,
    parse_registers::ParseRegisters,
    parse_table::{ParseCell, ParseRow, ParseTable},
};

/// Returns the parse up to a cell N and the symbol that it generates, with marks on the entries that its layers read
/// and write. In the last row, `N` is that cell, `n` the one attended to by the layer that writes the symbol, and `n1`,
/// `n2` are the other cells read.
pub(super) fn generation_table(
    program: &Program,
    registers: &ParseRegisters,
    run: &RecordedRun,
    generation: &Generation<'_>,
) -> ParseTable {
    let end = run.end();
    let Generation { cell, source, read, written, .. } = generation;
    let next = cell.next();
    let value = |register: RegisterId, column: CellId| {
        if column < next {
            run.value(register, column, registers.shown_time(run, column, end))
        } else if Some(register) == registers.position {
            run.vocabulary().positions().get(next.number()).copied()
        } else {
            run.value(register, *cell, end)
        }
    };
    let row = |register: RegisterId| {
        let entry = |column| {
            let marked = if column < next { read.contains(&(register, column)) } else { written.contains(&register) };
            ParseCell::new(run.vocabulary(), column, value(register, column), marked)
        };
        let register = program.registers[register].name.clone();
        Some(ParseRow { register, cells: CellId::first(next.number()).map(entry).collect() })
    };
    let mut others: Vec<CellId> =
        read.iter().map(|(_, read)| *read).filter(|read| ![cell, source].contains(&read)).collect();
    others.sort_unstable();
    others.dedup();
    let name = |column: CellId| match others.binary_search(&column) {
        Ok(number) => Some(format!("n{}", number + 1)),
        Err(_) if column == *cell => Some("N".to_owned()),
        Err(_) => (column == *source).then(|| "n".to_owned()),
    };
    let name = |cell| ParseCell { cell: CellId::number(cell), value: name(cell), marked: false };
    let names = ParseRow { register: String::new(), cells: CellId::first(next.number()).map(name).collect() };
    let title = format!("Cell {cell} generates {}: {}", code(generation.symbol()), generation.labels().join("; "));
    ParseTable { title, rows: registers.rows().filter_map(row).chain([names]).collect() }
}

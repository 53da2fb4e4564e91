//! The parse and its use as tables, (36), (39), (44).

use psl_runtime::{
    CellId,
    record::{RecordedRun, Time},
};
use psl_syntax::{Program, program::RegisterId};

use super::{
    generation::Generation,
    generation_table::generation_table,
    parse_registers::ParseRegisters,
    parse_table::{ParseCell, ParseRow, ParseTable},
};

/// Returns the registers of the parse in all cells at a time (36), then the generation of the symbol in the cell with
/// the number `cell`, if it generates one. Without `cell`, there is a table for the first cell of each combination of
/// layers that generates a symbol: in PARGEN, `Nextfield` (44) and `Contfield` (39). Empty if the program has no
/// registers named `region` and `field`.
pub fn parse_tables(program: &Program, run: &RecordedRun, time: Time, cell: Option<usize>) -> Vec<ParseTable> {
    let Some(registers) = ParseRegisters::of(program) else { return Vec::new() };
    let is_chosen = |of: &CellId| cell.map_or(of.number() >= run.prompt_cells(), |cell| cell == of.number());
    let cells = CellId::first(run.cells()).filter(is_chosen);
    let mut generations: Vec<Generation<'_>> = Vec::new();
    for generation in cells.filter_map(|cell| Generation::new(program, &registers, run, cell)) {
        if generations.iter().all(|other| other.layers() != generation.layers()) {
            generations.push(generation);
        }
    }
    let generations = generations.iter().map(|generation| generation_table(program, &registers, run, generation));
    [parse_table(program, &registers, run, time)].into_iter().chain(generations).collect()
}

fn parse_table(program: &Program, registers: &ParseRegisters, run: &RecordedRun, time: Time) -> ParseTable {
    let row = |register: RegisterId| {
        let value = |cell| run.value(register, cell, registers.shown_time(run, cell, time));
        let entry = |cell| ParseCell::new(run.vocabulary(), cell, value(cell), false);
        let register = program.registers[register].name.clone();
        Some(ParseRow { register, cells: CellId::first(run.cells()).map(entry).collect() })
    };
    ParseTable { title: "Parse".to_owned(), rows: registers.rows().filter_map(row).collect() }
}

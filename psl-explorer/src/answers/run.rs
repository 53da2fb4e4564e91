//! A run: its cells, its rows and its continuation.

use std::collections::{BTreeMap, BTreeSet};

use psl_program::{FailureExplanation, File, explain_failure};
use psl_runtime::{
    CellId,
    record::{Row, RowId, SymbolWrite, Time, Write, history, last_write},
};
use psl_syntax::{
    Span,
    index::IndexVec,
    program::{RegisterId, TestCase},
};
use serde::Serialize;

use super::tile::{self, Tile};
use crate::{request::WholeTile, view::View};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Run<'a> {
    /// The symbol that each cell starts with.
    symbols: Vec<Option<&'a str>>,
    prompt_cells: usize,
    rows: Vec<RunRow>,
    /// By row: the registers that it changes in some cell.
    writes: Vec<BTreeSet<usize>>,
    /// By cell: the rows that it lacks. Only cells that rest have an entry.
    resting: BTreeMap<usize, Vec<usize>>,
    /// The continuation or the row.
    continuation: &'a [String],
    /// The register that holds it.
    output: Option<usize>,
    #[cfg_attr(test, ts(as = "Option<crate::protocol_names::Stopped>"))]
    stopped: Option<&'static str>,
    /// The expected continuation, if a test is run.
    gold: Option<&'a str>,
    passed: Option<bool>,
    wrong: Option<Wrong>,
    /// The reason why the run failed. The cells and rows before the failure are included.
    error: Option<&'a str>,
    note: Option<String>,
    /// The tile of the whole grid, if the request wants it and it has few values.
    tile: Option<Tile<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunRow {
    layer: usize,
    pass: Vec<usize>,
}

impl RunRow {
    pub fn of(Row { layer, pass }: &Row) -> Self {
        Self { layer: layer.number(), pass: pass.clone() }
    }
}

/// The first wrong symbol of the continuation.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Wrong {
    /// 1-based.
    number: usize,
    /// The row that wrote it.
    row: Option<usize>,
    /// The cell that generated it.
    cell: usize,
    text: String,
}

/// Describes a run. A failed test is explained only if the program is `whole`, without ablated layers.
pub fn run<'a>(
    view: View<'a>,
    file: &File,
    test: Option<&'a TestCase>,
    note: Option<String>,
    whole: bool,
    tile: Option<&WholeTile>,
) -> Run<'a> {
    let View { runner, run, .. } = view;
    let roles = view.program().roles;
    let symbol = roles.symbol.or(roles.output);
    let symbol_of = |cell| view.value(run.value(symbol?, cell, Time::START));
    let lacks =
        |cell| -> Vec<usize> { run.rows().ids().filter(|&row| !run.has_row(row, cell)).map(RowId::index).collect() };
    let cells = CellId::first(run.cells());
    let prompt_lacks = lacks(CellId::new(0));
    let resting = cells.clone().take(run.prompt_cells()).map(|cell| (cell.number(), prompt_lacks.clone()));
    let generated = cells.clone().skip(run.prompt_cells()).map(|cell| (cell.number(), lacks(cell)));
    let resting = resting.chain(generated).filter(|(_, rows)| !rows.is_empty());
    let continued = run.outcome().as_ref().ok();
    let wrong = test.filter(|_| whole).zip(continued).and_then(|(test, got)| {
        let explanation = explain_failure(runner, &test.gold, got, |symbol| SymbolWrite::of(run, symbol))?;
        Some(wrong(view, file, &explanation))
    });
    Run {
        symbols: cells.map(symbol_of).collect(),
        prompt_cells: run.prompt_cells(),
        rows: run.rows().iter().map(RunRow::of).collect(),
        writes: writes(view),
        resting: resting.collect(),
        continuation: continued.map_or(&[], |continuation| &continuation.symbols),
        output: run.output().map(RegisterId::index),
        stopped: continued.map(|continuation| continuation.stopped.as_str()),
        gold: test.map(|test| test.gold.as_str()),
        passed: test.map(|test| continued.is_some_and(|got| got.is(&test.gold))),
        wrong,
        error: run.outcome().as_ref().err().map(|failure| failure.message.as_str()),
        note,
        tile: tile.and_then(|wanted| tile::whole(view, wanted)),
    }
}

/// The registers that each row changes, with which the page can leave out rows before it has their tiles.
fn writes(view: View<'_>) -> Vec<BTreeSet<usize>> {
    let mut rows = IndexVec::from(vec![BTreeSet::new(); view.run.rows().len()]);
    for register in view.program().register_ids() {
        let writes = CellId::first(view.run.cells()).flat_map(|cell| history(view.run, register, cell));
        for write in writes.filter(Write::is_change) {
            rows[write.row].insert(register.index());
        }
    }
    rows.into_iter().collect()
}

fn wrong(view: View<'_>, file: &File, explanation: &FailureExplanation) -> Wrong {
    let run = view.run;
    // The cell that generates a symbol precedes the one that holds it.
    let cell = run.cell_of_symbol(explanation.symbol.index()).min(run.last_cell());
    let written = |output: RegisterId| last_write(run, output, cell, run.end());
    let line = |span: Span| Some(file.line_index().line(span.start) + 1);
    Wrong {
        number: explanation.symbol.number(),
        row: run.output().and_then(written).map(|write| write.row.index()),
        cell: cell.number(),
        text: explanation.in_words(view.program(), line),
    }
}

//! The first symbol of a continuation that differs from the gold.

use psl_runtime::{CellId, record::last_write};

use super::{
    debugged_run::Debugger,
    timeline::Moment,
    wrong_symbols::{WrongSymbol, wrong_symbols},
};

/// The first symbol that differs from the gold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldDifference {
    /// The expected symbol, or `None` if the gold is shorter.
    pub expected: Option<String>,
    /// The symbol of the continuation, or `None` if the continuation is shorter.
    pub got: Option<String>,
    /// The moment at which the symbol has been generated, or the end of the run if the continuation is shorter.
    pub moment: Moment,
    /// The moment of the layer that wrote the symbol, or `None` if the prompt has it.
    pub written: Option<Moment>,
}

/// Returns the first symbol of the continuation that differs from the gold. Symbols are compared as in
/// [`Continuation::is`](psl_runtime::Continuation::is). `None` if there is no gold, if there is no difference, or if
/// the record is cut before it: see [`Debugger::grow`].
pub fn gold_difference(debugger: &Debugger) -> Option<GoldDifference> {
    let first = wrong_symbols(debugger.run(), debugger.gold()?).into_iter().next()?;
    let WrongSymbol { expected, got, moment } = first;
    let written = got.as_ref().and_then(|_| written(debugger, moment));
    Some(GoldDifference { expected, got, moment, written })
}

/// The layer that wrote the output of a step. A generated cell starts with the output of the cell before it.
fn written(debugger: &Debugger, moment: Moment) -> Option<Moment> {
    let run = debugger.run();
    let output = run.output()?;
    let generated = (0..=moment.step).rev().map(|step| run.cell_of_symbol(step));
    let cells: Vec<CellId> = if run.is_row() { vec![moment.cell] } else { generated.collect() };
    let last = cells.into_iter().map(|cell| (cell, last_write(run, output, cell, run.end())));
    let (cell, write) = last.into_iter().find_map(|(cell, write)| Some((cell, write?)))?;
    debugger.timeline().at_row(write.row, cell)
}

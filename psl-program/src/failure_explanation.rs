//! The reason why a test failed: the first symbol that differs from the gold, and the layer that wrote it.
//!
//! Invariant: an explanation is valid for every text that compiles to the same program. Spans are looked up when it is
//! shown.

use psl_runtime::{CellId, Continuation, Options, Stopped, SymbolId, record::SymbolWrite};
use psl_syntax::{
    Analysis, Span,
    names::Symbol,
    program::{DEFAULT_STOP, Production, ProductionId, Program},
    roles::is_named_end,
};

use crate::{counting::count, ranges::Ranges, runner::Runner, table_selection::TableSelection};

/// The limit for a label, in characters.
const SHORT: usize = 40;

/// The first symbol that differs, and its last write.
#[derive(Clone, Debug)]
pub struct FailureExplanation {
    /// The first wrong symbol of the continuation, or the one after its last if the gold is longer.
    pub symbol: SymbolId,
    difference: String,
    /// `None` if the run does not have the symbol, or it is unknown.
    last_write: Option<LastWrite>,
}

/// The last write of the wrong symbol.
#[derive(Clone, Debug)]
enum LastWrite {
    /// No layer wrote the output of the cell that generates the symbol, for this reason.
    Missing(String),
    /// A layer wrote it, even if the value stayed the same.
    By {
        layer: ProductionId,
        /// The cell that generates the symbol.
        cell: CellId,
        /// The other cell that this cell attends to.
        attends: Option<CellId>,
        /// The message at the production.
        what: String,
    },
}

/// Explains why a continuation differs from the gold, or returns `None` if it is the gold. `write` returns the last
/// write of a symbol of the continuation.
pub fn explain_failure(
    runner: &Runner,
    gold: &str,
    got: &Continuation,
    write: impl FnOnce(SymbolId) -> Option<SymbolWrite>,
) -> Option<FailureExplanation> {
    let mut words_of_gold = gold.split_whitespace().peekable();
    // A symbol may hold blanks, and so be several words of the gold.
    let wrong = got.symbols.iter().zip(SymbolId::first(got.symbols.len())).find_map(|(symbol, id)| {
        let words: Vec<&str> = symbol.split_whitespace().collect();
        let expected: Vec<&str> = words_of_gold.by_ref().take(words.len()).collect();
        (words != expected).then(|| (id, words.join(" "), expected.join(" ")))
    });
    let is_row = got.is_row();
    let stop = runner.options(&Options::default()).stop.unwrap_or_else(|| DEFAULT_STOP.to_owned());
    let Some((id, symbol, expected)) = wrong else {
        words_of_gold.peek()?;
        let length = got.symbols.len();
        let difference = match got.stopped {
            Stopped::MaxNew => {
                let symbols = if length == 1 { "symbol" } else { "symbols" };
                format!(
                    "it is cut off after {length} {symbols}, and the expected continuation is longer: `//@ max-new` allows more"
                )
            }
            Stopped::PromptPass => row_length(got, gold),
            Stopped::StopSymbol => {
                format!(
                    "it ends with the stop symbol `{stop}` at symbol {length}, and the expected continuation is longer"
                )
            }
        };
        return Some(FailureExplanation { symbol: SymbolId::new(length), difference, last_write: None });
    };
    if expected.is_empty() && is_row {
        return Some(FailureExplanation { symbol: id, difference: row_length(got, gold), last_write: None });
    }
    if expected.is_empty() {
        let without = match id.index() {
            0 => String::new(),
            length => format!(", and without it the test needs `//@ max-new {length}`"),
        };
        let end = gold.split_whitespace().last().filter(|end| is_named_end(end));
        let end = end.map_or_else(String::new, |end| format!("; `//@ stop \"{end}\"` makes `{end}` the stop symbol"));
        let difference = format!(
            "it continues at symbol {id}: the expected continuation does not end with the stop symbol `{stop}`{without}{end}"
        );
        return Some(FailureExplanation { symbol: id, difference, last_write: None });
    }
    let ends = |symbol: &str| if symbol == stop && !is_row { "the stop symbol " } else { "" };
    let place = place(got, id);
    let difference = format!("{place} is {}`{symbol}`, not {}`{expected}`", ends(&symbol), ends(&expected));
    let last_write = write(id).map(|write| last_write(runner, got, id, write));
    Some(FailureExplanation { symbol: id, difference, last_write })
}

/// The place of a symbol: `symbol 2`, or `value 2 of the row`.
fn place(got: &Continuation, id: SymbolId) -> String {
    if got.is_row() { format!("value {id} of the row") } else { format!("symbol {id}") }
}

/// The difference in length of a row.
fn row_length(got: &Continuation, gold: &str) -> String {
    let (cells, expected) = (got.symbols.len(), gold.split_whitespace().count());
    format!("the prompt has {}, and the expected row {}", count(cells, "cell"), count(expected, "value"))
}

/// Explains a symbol of a continuation by its last write, whatever is expected.
pub fn explain_symbol(runner: &Runner, got: &Continuation, id: SymbolId, write: SymbolWrite) -> FailureExplanation {
    let symbol = got.symbols.get(id.index()).map_or("", String::as_str);
    let last_write = Some(last_write(runner, got, id, write));
    FailureExplanation { symbol: id, difference: format!("{} is `{symbol}`", place(got, id)), last_write }
}

/// The last write of a symbol in words.
fn last_write(runner: &Runner, got: &Continuation, id: SymbolId, write: SymbolWrite) -> LastWrite {
    let SymbolWrite { cell, value, by } = write;
    let symbol = got.symbols.get(id.index()).map_or("", String::as_str);
    let is_row = got.is_row();
    let registers = &runner.executable().registers;
    let output = if is_row { runner.answer() } else { registers.roles.output };
    let register = output.map_or("?", |output| registers.name(output));
    let Some((layer, attends)) = by else {
        let from = match (value, cell.before().filter(|_| id.index() > 0 && !is_row)) {
            (None, _) => String::new(),
            (Some(_), None) => ", which had it in the prompt".to_owned(),
            (Some(_), Some(before)) => format!(", which copied it from cell {before}"),
        };
        return LastWrite::Missing(format!("no layer wrote `{register}` of cell {cell}{from}"));
    };
    let what = format!("`{register}` of cell {cell} is set to `{symbol}` here");
    LastWrite::By { layer, cell, attends: Some(attends).filter(|n| *n != cell), what }
}

/// The production of a layer.
fn production(program: &Program, layer: ProductionId) -> Option<&Production> {
    program.productions().find(layer).copied()
}

/// A production's label without its comment mark.
fn label(production: &Production) -> Option<String> {
    let label = production.label.as_ref()?.trim_start_matches(['#', '/']).trim();
    let short: String = label.chars().take(SHORT).collect();
    Some(if short.len() < label.len() { format!("{}…", short.trim_end()) } else { short })
}

impl FailureExplanation {
    /// Returns the difference and its cause. `line` returns the 1-based line of the production, or `None` to leave it
    /// out.
    pub fn in_words(&self, program: &Program, line: impl FnOnce(Span) -> Option<usize>) -> String {
        match self.cause(program, line) {
            None => self.difference.clone(),
            Some(cause) => format!("{}: {cause}", self.difference),
        }
    }

    /// The difference alone, such as "symbol 2 is `B`, not `A`".
    pub fn difference(&self) -> &str {
        &self.difference
    }

    /// Returns the layer that wrote the symbol, or `None` if it is unknown. `line` is as for [`Self::in_words`].
    pub fn cause(&self, program: &Program, line: impl FnOnce(Span) -> Option<usize>) -> Option<String> {
        Some(match self.last_write.as_ref()? {
            LastWrite::Missing(why) => why.clone(),
            LastWrite::By { layer, cell, attends, .. } => {
                let production = production(program, *layer);
                let line = production.and_then(|it| line(it.head)).map(|line| format!("line {line}"));
                let details: Vec<String> = production.and_then(label).into_iter().chain(line).collect();
                let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
                let from = attends.map_or_else(String::new, |n| format!(", which attends to cell {n}"));
                format!("layer {layer}{details} wrote it in cell {cell}{from}")
            }
        })
    }

    /// The part of the run that shows why: the layer that wrote the symbol, its cell and the one it attends to, and the
    /// registers of its production.
    pub fn table_selection(&self, analysis: &Analysis) -> TableSelection {
        let Some(LastWrite::By { layer, cell, attends, .. }) = &self.last_write else {
            return TableSelection::default();
        };
        let mut cells: Vec<CellId> = attends.iter().copied().chain([*cell]).collect();
        cells.sort_unstable();
        let program = &analysis.program;
        let span = production(program, *layer).map(|production| production.span);
        let mut registers: Vec<String> = Vec::new();
        for reference in span.map_or(&[][..], |span| analysis.names.within(span)) {
            let Symbol::Register(id) = reference.symbol else { continue };
            let name = &program.registers[id].name;
            if !registers.contains(name) {
                registers.push(name.clone());
            }
        }
        let cells = Ranges::of(cells.into_iter().map(CellId::number));
        TableSelection { layers: Some(Ranges::of([layer.number()])), cells: Some(cells), registers }
    }

    /// Returns the head of the production that wrote the symbol, and the message to show there.
    pub fn written(&self, program: &Program) -> Option<(Span, &str)> {
        match &self.last_write {
            Some(LastWrite::By { layer, what, .. }) => Some((production(program, *layer)?.head, what)),
            _ => None,
        }
    }
}

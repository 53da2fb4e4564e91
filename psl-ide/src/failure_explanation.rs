//! Why a test failed: the first symbol that differs from the gold, and the layer that wrote it.
//!
//! Invariant: an explanation holds for every text that compiles to the same; where things stand is looked up when it is shown.

use std::sync::atomic::AtomicBool;

use psl_runtime::{MachineKind, Options, Stopped, Update};
use psl_syntax::{
    Span,
    program::{Production, Program, TestCase},
};

use crate::{
    brief_run::run_briefly,
    runner::{Continuation, Runner},
};

/// A label is shortened to as many characters.
const SHORT: usize = 40;

/// The first symbol that differs, and how it came about.
#[derive(Clone, Debug)]
pub struct FailureExplanation {
    /// The number of the first wrong symbol of the continuation, from 1; one past its last where the gold goes on.
    pub number: usize,
    /// The difference, in words.
    difference: String,
    /// How the symbol came about, where it can be told.
    origin: Option<Origin>,
}

#[derive(Clone, Debug)]
enum Origin {
    /// No layer wrote the output of the cell that puts it out.
    Kept(String),
    /// A layer wrote it last, be it the value that was there.
    Written {
        layer: usize,
        /// The cell that puts it out.
        cell: usize,
        /// The other cell that it attends to.
        attends: Option<usize>,
        /// What is to be said there.
        what: String,
    },
}

/// Why a continuation is not the gold; nothing where it is. The test is run once more to see which layer wrote the symbol; a run
/// that takes long is left out.
pub fn explain_failure(
    runner: &Runner,
    test: &TestCase,
    got: &Continuation,
    machine: MachineKind,
    cancelled: &AtomicBool,
) -> Option<FailureExplanation> {
    let mut gold = test.gold.split_whitespace().peekable();
    // A symbol may hold blanks, and so be several words of the gold.
    let wrong = got.symbols.iter().zip(1..).find_map(|(symbol, number)| {
        let words: Vec<&str> = symbol.split_whitespace().collect();
        let expected: Vec<&str> = gold.by_ref().take(words.len()).collect();
        (words != expected).then(|| (number, words.join(" "), expected.join(" ")))
    });
    let stop = runner.options(&Options::default()).stop.unwrap_or_else(|| ".".to_owned());
    let Some((number, symbol, expected)) = wrong else {
        gold.peek()?;
        let length = got.symbols.len();
        let difference = match got.stopped {
            Stopped::MaxNew => {
                format!("it is cut off after {length} symbols, and the gold goes on: `//@ max-new` allows more")
            }
            Stopped::StopSymbol => {
                format!("it ends with the stop symbol `{stop}` at symbol {length}, and the gold goes on")
            }
        };
        return Some(FailureExplanation { number: length + 1, difference, origin: None });
    };
    if expected.is_empty() {
        let difference =
            format!("it goes on at symbol {number}, for the gold does not end with the stop symbol `{stop}`");
        return Some(FailureExplanation { number, difference, origin: None });
    }
    let ends = |symbol: &str| if symbol == stop { "the stop symbol " } else { "" };
    let difference = format!("symbol {number} is {}`{symbol}`, not {}`{expected}`", ends(&symbol), ends(&expected));
    Some(FailureExplanation { number, difference, origin: origin(runner, test, number, machine, cancelled) })
}

/// How the n-th symbol of a continuation came about.
fn origin(
    runner: &Runner,
    test: &TestCase,
    number: usize,
    machine: MachineKind,
    cancelled: &AtomicBool,
) -> Option<Origin> {
    let mut task = runner.test_task(&test.prompt).ok()?;
    let executable = runner.executable();
    let output = executable.registers.roles.output?.0 as usize;
    let prompt = task.input.cells.len();
    task.limits.max_new = number;
    let mut held = task.input.cells.last()?.get(output).copied().flatten();
    let mut writer = None;
    let mut step = 0;
    let vocabulary = task.vocabulary.clone();
    let observe = |update: &Update| {
        // Each symbol is put out by the last cell that there is in its step.
        if update.cell != prompt + update.step {
            return;
        }
        if update.step != step {
            step = update.step;
            writer = None;
        }
        held = update.state.get(output).copied().flatten();
        if update.set.iter().any(|(register, _)| *register == output) {
            writer = Some((update.layer, update.attends.filter(|n| *n != update.cell)));
        }
    };
    run_briefly(runner, task, machine, cancelled, observe)?.ok()?;
    let cell = prompt + number - 1;
    let register = executable.registers.long.get(output).map_or("?", String::as_str);
    let Some((layer, attends)) = writer else {
        let from = match (held, number) {
            (None, _) => String::new(),
            (Some(_), 1) => ", which had it in the prompt".to_owned(),
            (Some(_), _) => format!(", which took it over from cell {}", cell - 1),
        };
        return Some(Origin::Kept(format!("no layer wrote `{register}` of cell {cell}{from}")));
    };
    let value = vocabulary.show(held);
    Some(Origin::Written {
        layer,
        cell,
        attends,
        what: format!("`{register}` of cell {cell} is set to `{value}` here"),
    })
}

/// The production of a layer, which counts from 1.
fn production(program: &Program, layer: usize) -> Option<&Production> {
    program.productions().get(layer.checked_sub(1)?).copied()
}

/// A production's label without its comment mark.
fn label(production: &Production) -> Option<String> {
    let label = production.label.as_ref()?.trim_start_matches(['#', '/']).trim();
    let short: String = label.chars().take(SHORT).collect();
    Some(if short.len() < label.len() { format!("{}…", short.trim_end()) } else { short })
}

impl FailureExplanation {
    /// In words, for a text of the program; with the line of the production that is to blame, if it is given.
    pub fn in_words(&self, program: &Program, line: impl FnOnce(Span) -> Option<usize>) -> String {
        match &self.origin {
            None => self.difference.clone(),
            Some(Origin::Kept(why)) => format!("{}: {why}", self.difference),
            Some(Origin::Written { layer, cell, attends, .. }) => {
                let production = production(program, *layer);
                let line = production.and_then(|it| line(it.head)).map(|line| format!("line {line}"));
                let details: Vec<String> = production.and_then(label).into_iter().chain(line).collect();
                let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
                let from = attends.map_or_else(String::new, |n| format!(", which attends to cell {n}"));
                format!("{}: layer {layer}{details} wrote it in cell {cell}{from}", self.difference)
            }
        }
    }

    /// The head, in a text of the program, of the production that wrote the symbol, and what is to be said there.
    pub fn written(&self, program: &Program) -> Option<(Span, &str)> {
        match &self.origin {
            Some(Origin::Written { layer, what, .. }) => Some((production(program, *layer)?.head, what)),
            _ => None,
        }
    }
}

//! Breakpoints on the faults of a run.

use std::sync::atomic::AtomicBool;

use psl_debug::{BreakOn, Direction, Exception, StepPlace, StopSearch, Timeline};

use super::{breakpoint, search, words::record};
use crate::common::numbers::cell;

/// The places of all stops on the way back, with their steps and cells.
fn check(text: &str, prompt: &str, gold: Option<&str>, exception: Exception, expected: &[(&str, usize, usize)]) {
    let (file, run) = record(text, prompt);
    let breakpoints = [breakpoint(BreakOn::Exception(exception))];
    let program = file.program();
    let cancelled = AtomicBool::new(false);
    let search = StopSearch { gold, ..search(program, &run, &breakpoints, cell(1), &cancelled) };
    let timeline = Timeline::new(&run);
    let mut from = timeline.start();
    let mut found = Vec::new();
    while let Some(hit) = search.next_stop(Some(from), Direction::Forward).stop {
        let place = match timeline.place(hit.moment) {
            StepPlace::Symbol => "symbol",
            StepPlace::Layer(_) => "layer",
            StepPlace::End => "end",
            StepPlace::Block { .. } | StepPlace::Until { .. } => "block",
        };
        found.push((place, hit.moment.step, hit.moment.cell.number()));
        from = hit.moment;
    }
    assert_eq!(found, expected, "{text}");
}

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n//@ max-new 3\n";

#[test]
fn a_symbol_that_differs_from_the_gold() {
    let text = format!("{HEAD}where symbol[N] == A:\n    symbol[N] = B\n");
    let check = |gold, expected: &[_]| check(&text, "A A", gold, Exception::WrongSymbol, expected);
    check(Some("B B B"), &[]);
    check(Some("B A  A"), &[("symbol", 1, 3), ("symbol", 2, 4)]);
    check(Some("A B"), &[("symbol", 0, 2), ("symbol", 2, 4)]);
    check(None, &[]);
}

#[test]
fn a_block_that_never_ends() {
    let text = format!(
        "{HEAD}where symbol[N] == A:\n    mark[N] = A\n\
         repeat:\n    where symbol[N] == A:\n        mark[N] = B\nuntil mark[N] == A\n"
    );
    check(&text, "A", None, Exception::EndlessBlock, &[("end", 0, 1)]);
    check(&text.replace("until mark[N] == A", "until NO_CHANGE"), "A", None, Exception::EndlessBlock, &[]);
}

#[test]
fn a_cell_that_attends_to_its_right() {
    let text =
        format!("{HEAD}where symbol[N] == A:\n    mark[N] = A\nwhere symbol[n] == B:\n    mark[N] = symbol[n]\n");
    check(&text, "A A B", None, Exception::LooksAhead, &[("layer", 0, 1), ("layer", 0, 2)]);
    check(&text, "B A A", None, Exception::LooksAhead, &[]);
}

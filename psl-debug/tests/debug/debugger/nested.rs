//! The moments of nested repeat blocks.

use psl_debug::{Moment, Timeline};
use psl_runtime::{CellId, record::RowId};

use super::{debugger, shown};

const NESTED: &str = "//@ max-new 1\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                      repeat:\n    where symbol[N] == A:\n        symbol[N] = B\n    \
                      repeat:\n        where symbol[N] == B:\n            mark[N] = B\n    until NO_CHANGE\nuntil NO_CHANGE\n\
                      where symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n";

/// Repeats the same movement.
fn check<'r>(
    timeline: Timeline<'r>,
    start: Moment,
    step: impl Fn(Timeline<'r>, Moment) -> Option<Moment>,
    expected: &[&str],
) {
    let mut moment = Some(start);
    let mut found = Vec::new();
    while let Some(here) = moment.filter(|_| found.len() <= expected.len()) {
        found.push(shown(timeline, here));
        moment = step(timeline, here);
    }
    assert_eq!(found, expected);
}

#[test]
fn in_visits_every_cell_and_the_start_and_end_of_every_pass() {
    let expected = [
        "0: block 1 []",
        "0: layer 1 [1] cell 1",
        "0: layer 1 [1] cell 2",
        "0: block 2 [1]",
        "0: layer 2 [1, 1] cell 1",
        "0: layer 2 [1, 1] cell 2",
        "0: until 2 [1, 1]",
        "0: layer 2 [1, 2] cell 1",
        "0: layer 2 [1, 2] cell 2",
        "0: until 2 [1, 2]",
        "0: until 1 [1]",
        "0: layer 1 [2] cell 1",
        "0: layer 1 [2] cell 2",
        "0: block 2 [2]",
        "0: layer 2 [2, 1] cell 1",
        "0: layer 2 [2, 1] cell 2",
        "0: until 2 [2, 1]",
        "0: until 1 [2]",
        "0: layer 3 [] cell 1",
        "0: layer 3 [] cell 2",
        "0: symbol",
        "1: end",
    ];
    let debugger = debugger(NESTED, "A B");
    let timeline = debugger.timeline();
    check(timeline, timeline.start(), Timeline::next_cell, &expected);
    let reversed: Vec<&str> = expected.into_iter().rev().collect();
    check(timeline, timeline.end(), Timeline::back_cell, &reversed);
}

#[test]
fn next_goes_over_a_block_and_back_goes_to_its_start() {
    let expected = ["0: block 1 []", "0: layer 3 [] cell 1", "0: symbol", "1: end"];
    let debugger = debugger(NESTED, "A");
    let timeline = debugger.timeline();
    check(timeline, timeline.start(), Timeline::next, &expected);
    check(timeline, timeline.end(), Timeline::back, &["1: end", "0: symbol", "0: layer 3 [] cell 1", "0: block 1 []"]);
}

#[test]
fn next_and_back_inside_of_a_block_go_from_pass_to_pass() {
    let debugger = debugger(NESTED, "A");
    let timeline = debugger.timeline();
    let inside = timeline.next_cell(timeline.start()).expect("the first pass");
    let expected = [
        "0: layer 1 [1] cell 1",
        "0: block 2 [1]",
        "0: until 1 [1]",
        "0: layer 1 [2] cell 1",
        "0: block 2 [2]",
        "0: until 1 [2]",
        "0: layer 3 [] cell 1",
        "0: symbol",
        "1: end",
    ];
    check(timeline, inside, Timeline::next, &expected);
    let after = timeline.next(timeline.start()).expect("the layer after the block");
    let last = timeline.back_cell(after).expect("the end of its last pass");
    let expected = [
        "0: until 1 [2]",
        "0: block 2 [2]",
        "0: layer 1 [2] cell 1",
        "0: until 1 [1]",
        "0: block 2 [1]",
        "0: layer 1 [1] cell 1",
        "0: block 1 []",
    ];
    check(timeline, last, Timeline::back, &expected);
}

#[test]
fn out_ends_the_pass_then_the_block_then_the_step() {
    let debugger = debugger(NESTED, "A");
    let timeline = debugger.timeline();
    let first = timeline.next_cell(timeline.start()).expect("the first pass");
    let inside = timeline.next_cell(timeline.next(first).expect("the inner block")).expect("its first pass");
    let expected = [
        "0: layer 2 [1, 1] cell 1",
        "0: until 2 [1, 1]",
        "0: until 1 [1]",
        "0: layer 3 [] cell 1",
        "0: symbol",
        "1: end",
    ];
    check(timeline, inside, Timeline::out, &expected);
}

#[test]
fn every_row_and_cell_of_a_page_has_a_moment() {
    // A generated C takes more passes than the prompt, whose cells rest in them.
    let after = "    where symbol[N] == C:\n        symbol[N] = A\nuntil NO_CHANGE\nwhere symbol[N] == B:\n    symbol[N] = C\nwhere symbol[N] == symbol[N]";
    let program = NESTED.replace("max-new 1", "max-new 3").replace("{A, B}", "{A, B, C}");
    let program = program.replace("until NO_CHANGE\nwhere symbol[N] == symbol[N]", after);
    let debugger = debugger(&program, "B B");
    let (run, timeline) = (debugger.run(), debugger.timeline());
    let mut rested = 0;
    for cell in CellId::first(run.cells()) {
        let start = timeline.near_row(None, cell).expect("a moment");
        assert_eq!((start.cell, start.step), (cell, cell.number().saturating_sub(run.prompt_cells())));
        for row in run.rows().ids() {
            let moment = timeline.near_row(Some(row), cell).expect("a moment");
            if let Some(exact) = timeline.at_row(row, cell) {
                assert_eq!((moment, timeline.row_about(moment)), (exact, Some(row)));
            } else {
                let next = run.rows().ids().skip(row.index()).find_map(|row| timeline.at_row(row, cell));
                assert_eq!(moment, next.or(timeline.at_symbol(moment.step)).expect("a moment"), "{row:?}, cell {cell}");
                rested += 1;
            }
        }
    }
    assert!(rested > 0);
    assert_eq!(timeline.near_row(Some(RowId::new(0)), CellId::new(usize::MAX)), None);
    assert_eq!(timeline.near_row(None, run.last_cell().next()), None);
    // Each moment is about a row of its cell.
    let mut moment = timeline.start();
    while let Some(next) = timeline.next_cell(moment) {
        let row = timeline.row_about(moment).expect("a row");
        assert!(run.has_row(row, moment.cell), "{}", shown(timeline, moment));
        moment = next;
    }
}

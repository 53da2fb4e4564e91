//! The stack and the scopes of a moment.

use psl_debug::{Debugger, Movement, scopes, stack, watched_registers};
use psl_program::Progress;

use super::debugger;

const PROGRAM: &str = "//@ max-new 2\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwatch: [mark]\n\
                       # settle\nrepeat:\n    # from the left\n    \
                       where position[n] == position[N]@pos_decrement and symbol[n] == A:\n        mark[N] = symbol[n]\n\
                       until NO_CHANGE\n";

fn at(movements: &[Movement]) -> Debugger {
    let mut debugger = debugger(PROGRAM, "A B B");
    for &movement in movements {
        debugger.move_by(movement, &Progress::default());
    }
    debugger
}

/// Checks the name of each frame and the first line of its part of the program.
fn check_stack(movements: &[Movement], expected: &[&str]) {
    let shown: Vec<String> = stack(&at(movements))
        .into_iter()
        .map(|frame| match frame.span {
            Some(span) => format!("{} | {}", frame.name, span.of(PROGRAM).lines().next().unwrap_or_default()),
            None => frame.name,
        })
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn the_stack_has_the_cell_its_production_the_passes_and_the_step() {
    let production = "where position[n] == position[N]@pos_decrement and symbol[n] == A:";
    check_stack(&[], &["settle | repeat", "prompt"]);
    check_stack(
        &[Movement::In, Movement::In],
        &[
            &format!("cell 2 (B) | {production}"),
            &format!("from the left | {production}"),
            "pass 1 of settle | repeat",
            "prompt",
        ],
    );
    check_stack(&[Movement::In, Movement::Out], &["pass 1 of settle | until NO_CHANGE", "prompt"]);
    check_stack(&[Movement::Next], &["prompt"]);
    check_stack(&[Movement::Next, Movement::Next], &["settle | repeat", "symbol 2"]);
    check_stack(&[Movement::Out, Movement::Out, Movement::Out], &["end"]);
}

/// Checks each scope, with its changed variables marked by `*`.
fn check_scopes(movements: &[Movement], expected: &[&str]) {
    let shown: Vec<String> = scopes(&at(movements))
        .into_iter()
        .map(|scope| {
            let variables = scope.variables.iter().map(|variable| {
                let mark = if variable.changed { "*" } else { "" };
                format!("{mark}{} = {}", variable.name, variable.value)
            });
            format!("{}: {}", scope.name, variables.collect::<Vec<_>>().join("; "))
        })
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn a_cell_is_seen_before_and_after_the_layer_with_the_cell_that_it_attends_to() {
    check_scopes(
        &[Movement::In, Movement::In],
        &[
            "cell 2: symbol = B; position = 2; *mark = ∅",
            "cell 2 after the layer: symbol = B; position = 2; *mark = A",
            "cell 1, which cell 2 attends to: symbol = A; position = 1; mark = ∅",
            "conditions: cell 2 attends to cell 1: position[n] == position[N]@pos_decrement = holds: 1 and 1 from 2; \
             symbol[n] == A = holds: A and A",
            "watched registers: mark = ∅ ∅ ∅",
            "continuation: ",
        ],
    );
}

#[test]
fn a_cell_without_a_match_has_the_conditions_of_the_cell_that_comes_closest() {
    check_scopes(
        &[Movement::In, Movement::In, Movement::In],
        &[
            "cell 3: symbol = B; position = 3; mark = ∅",
            "cell 3 after the layer: symbol = B; position = 3; mark = ∅",
            "conditions: no cell matches; cell 1 comes closest: position[n] == position[N]@pos_decrement = fails: 1 and \
             2 from 3; symbol[n] == A = holds: A and A",
            "watched registers: mark = ∅ ∅ ∅",
            "continuation: ",
        ],
    );
}

#[test]
fn the_continuation_grows_with_the_symbols() {
    check_scopes(
        &[Movement::Next],
        &[
            "cell 1: symbol = A; position = 1; mark = ∅",
            "watched registers: mark = ∅ A ∅",
            "continuation: symbol 1 = B",
        ],
    );
    check_scopes(
        &[Movement::Next, Movement::Next],
        &[
            "cell 4: symbol = B; position = 4; mark = ∅",
            "watched registers: mark = ∅ ∅ ∅ ∅",
            "continuation: symbol 1 = B",
        ],
    );
    check_scopes(
        &[Movement::Out, Movement::Out, Movement::Out],
        &[
            "cell 4: symbol = B; position = 4; mark = ∅",
            "watched registers: mark = ∅ A ∅ ∅",
            "continuation: symbol 1 = B; symbol 2 = B",
        ],
    );
}

#[test]
fn watched_registers_mark_what_the_layer_changes() {
    let changed = |movements: &[Movement]| {
        let [mark] = &watched_registers(&at(movements))[..] else { panic!("one register is watched") };
        mark.cells.iter().map(|cell| cell.changed).collect::<Vec<_>>()
    };
    assert_eq!(changed(&[]), [false, false, false]);
    assert_eq!(changed(&[Movement::In]), [false, true, false]);
    assert_eq!(changed(&[Movement::In, Movement::Out, Movement::Next]), [false, false, false]);
}

#[test]
fn cells_of_earlier_steps_do_not_change() {
    let mut debugger = debugger(
        "//@ max-new 2\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nwatch: [mark]\n\
         where symbol[N] == symbol[N]:\n    mark[N] = position[N]\n",
        "A B",
    );
    let marked = |debugger: &Debugger| {
        let watched = watched_registers(debugger).remove(0).cells;
        watched.iter().map(|cell| (cell.value.clone(), cell.changed)).collect::<Vec<_>>()
    };
    let shown = |value: &str, changed| (value.to_owned(), changed);
    assert_eq!(marked(&debugger), [shown("∅", true), shown("∅", true)]);
    for movement in [Movement::Out, Movement::Next] {
        debugger.move_by(movement, &Progress::default());
    }
    // The layer reads the cells of the prompt as they were before it.
    assert_eq!(marked(&debugger), [shown("∅", false), shown("∅", false), shown("2", true)]);
}

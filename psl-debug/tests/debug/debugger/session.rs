//! A debugged run: the focus on a cell.

use psl_debug::{Moved, Movement};
use psl_program::Progress;

use super::debugger;
use crate::common::numbers::cell;

const COPY: &str = "//@ max-new 2\nregisters: {symbol: 's', position: 'p', mark: 'm'}\n\
                    where symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n";

#[test]
fn a_step_back_into_the_prompt_returns_to_the_cell_last_seen() {
    let mut debugger = debugger(COPY, "a b c");
    let progress = Progress::default();
    debugger.set_cell(cell(2)).expect("a cell of the prompt");
    let mut cells = vec![debugger.moment().cell.number()];
    for movement in [Movement::Next, Movement::Next, Movement::Next, Movement::Back, Movement::Back, Movement::Back] {
        assert_eq!(debugger.move_by(movement, &progress), Moved::Yes);
        cells.push(debugger.moment().cell.number());
    }
    assert_eq!(cells, [2, 2, 4, 4, 4, 2, 2]);
    assert_eq!(debugger.move_by(Movement::Back, &progress), Moved::Start);
}

#[test]
fn the_end_is_the_end() {
    let mut debugger = debugger(COPY, "a");
    let progress = Progress::default();
    let count =
        (0..9).map(|_| debugger.move_by(Movement::Out, &progress)).take_while(|&moved| moved == Moved::Yes).count();
    assert_eq!((count, debugger.moment()), (3, debugger.timeline().end()));
    assert_eq!(debugger.move_by(Movement::In, &progress), Moved::End);
}

#[test]
fn only_a_cell_of_the_step_can_be_looked_at() {
    let check = |number, expected: Result<usize, &str>| {
        let mut debugger = debugger(COPY, "a b c");
        let place = debugger.place();
        let found = debugger.cell(number).and_then(|cell| debugger.set_cell(cell));
        let found = found.map(|()| debugger.moment().cell.number()).map_err(|error| error.to_string());
        assert_eq!((found, debugger.place()), (expected.map_err(str::to_owned), place));
    };
    check(3, Ok(3));
    check(0, Err("there is no cell 0: the cells are 1 to 4"));
    check(5, Err("there is no cell 5: the cells are 1 to 4"));
    check(4, Err("cell 4 does not change here; go to step 1 for it"));
    let error = debugger(COPY, "a b c").set_cell(cell(5)).expect_err("an error");
    assert_eq!(error.to_string(), "there is no cell 5: the cells are 1 to 4");
}

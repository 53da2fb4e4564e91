//! Runs with values in place of their own.

use serde_json::{Value, json};

use crate::{PARGEN, Page};

const PROMPT: &str = "Q B V D E A B V D E . Q F G H V K L A";

fn run(set: &Value) -> Value {
    json!({"op": "run", "slot": 0, "prompt": PROMPT, "machine": "dat", "set": set})
}

#[test]
fn a_run_has_the_set_values() {
    let (mut page, plain) = Page::with_run(PARGEN, PROMPT);
    assert_eq!(plain["continuation"], json!(["F", "G", "H", "V", "K", "L", "."]));
    // The places of a minimal set, which carry the difference to a prompt that swaps.
    let place =
        |cell: usize, value: &str| json!({"layer": 1, "pass": [], "cell": cell, "register": "symbol", "value": value});
    let changed = page.ask(run(&json!([place(7, "D"), place(9, "V"), place(10, "B")])));
    assert_eq!(changed["continuation"], json!(["K", "L", "V", "F", "G", "H", "."]));
    let origin = page.ask(json!({"op": "origin", "slot": 0, "register": 0, "cell": 7, "time": 1}));
    assert_eq!((&origin[0]["value"], &origin[0]["kind"]), (&json!("D"), &json!("changed")));
    page.run(1, PROMPT);
    let difference = page.ask(json!({"op": "difference"}));
    assert_eq!(difference["update"]["first"]["layer"], 1);
    let text = "`symbol` of cell 7 becomes `D` in the first run, and is not set in the second";
    assert_eq!(difference["update"]["text"], text);
}

#[test]
fn a_place_that_no_run_has_is_refused() {
    let mut page = Page::new(PARGEN);
    let place = |cell: usize, register: &str| json!([{"layer": 2, "pass": null, "cell": cell, "register": register, "value": null}]);
    assert_eq!(page.refusal(run(&place(900, "symbol"))), "cell 900 is out of range: the run has at most 37 cells");
    assert_eq!(page.refusal(run(&place(1, "simbol"))), "unknown register `simbol`; did you mean `symbol`?");
    let position = "`position` cannot be set: it holds the positions, which tell cells apart";
    assert_eq!(page.refusal(run(&place(1, "position"))), position);
}

//! Requests without an answer.

use psl_explorer::PageSession;
use serde_json::{Value, json};

use crate::{PARGEN, Page};

const PROGRAM: &str = "//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n\
                       where symbol[n] == A:\n    symbol[N] = symbol[n]\n";

/// Requests about a run, with the number in every field.
fn about(slot: &Value, number: &Value) -> Vec<Value> {
    let range = json!([number, number]);
    let op = |op: &str| {
        json!({"op": op, "slot": slot, "row": number, "cell": number, "source": number, "register": number, "time": number,
        "layer": number, "index": number, "attribute": "k", "rows": range, "pass": [number], "cells": range, "registers": [number], "embedding": "local", "at": [number, number], "command": "next", "text": "ne"})
    };
    [
        "tile",
        "update",
        "why",
        "history",
        "origin",
        "tensors",
        "block",
        "attention",
        "residual",
        "parse",
        "codes",
        "debug",
        "complete",
    ]
    .map(op)
    .to_vec()
}

#[test]
fn an_invalid_request_is_refused() {
    let mut page = Page(PageSession::default());
    for request in ["", "{", "null", "[]", "{\"op\": 1}", "{\"op\": \"open\"}", "{\"op\": \"steal\"}", "\u{0}"] {
        let answer = page.send(request);
        assert!(answer["error"].as_str().is_some_and(|error| error.starts_with("invalid request: ")), "{answer}");
    }
    assert_eq!(page.refusal(json!({"op": "difference"})), "slot 0 does not have a run");
    let run = json!({"op": "run", "slot": 0, "prompt": "A", "machine": "dat"});
    assert_eq!(page.refusal(run), "open a program first");
}

#[test]
fn a_slot_without_a_run_has_no_answers() {
    let mut page = Page::new(PROGRAM);
    for slot in 0..3 {
        for request in about(&json!(slot), &json!(1)) {
            assert_eq!(page.refusal(request), format!("slot {slot} does not have a run"));
        }
    }
    let run = |slot: usize, prompt: Value, machine: &str| json!({"op": "run", "slot": slot, "prompt": prompt, "machine": machine});
    assert_eq!(page.refusal(run(2, json!("A"), "dat")), "unknown slot 2: the slots are 0 and 1");
    assert_eq!(page.refusal(run(0, json!({"test": 1}), "dat")), "unknown test 2; the program has 1 test");
    assert_eq!(page.refusal(run(0, json!(" "), "dat")), "the prompt is empty: give at least one symbol");
    assert!(page.refusal(run(0, json!("A"), "dta")).starts_with("unknown machine `dta`"));
    for (cells, refusal) in [
        ("[{\"symbol\":\n 1.5}]", "cell 1: `symbol`: expected a string or a whole number at line 2 column 5"),
        ("[{}, {\"smbol\": \"A\"}]", "cell 2: unknown register `smbol`; did you mean `symbol`?"),
        ("[]", "the prompt is empty: give at least one symbol"),
    ] {
        assert_eq!(page.refusal(run(0, json!({ "cells": cells }), "dat")), refusal);
    }
    page.run(0, "A");
    page.ask(json!({"op": "history", "slot": 0, "register": 0, "cell": 1}));
    page.ask(json!({"op": "open", "text": PROGRAM}));
    let history = json!({"op": "history", "slot": 0, "register": 0, "cell": 1});
    assert_eq!(page.refusal(history), "slot 0 does not have a run");
}

#[test]
fn numbers_out_of_range_are_refused_or_have_an_empty_answer() {
    for (text, prompt) in [(PROGRAM, "A"), (PARGEN, "Q a A a . Q b A")] {
        let (mut page, run) = Page::with_run(text, prompt);
        let rows = run["rows"].as_array().expect("a list").len();
        for number in
            [json!(0), json!(1), json!(rows), json!(rows + 1), json!(u32::MAX), json!(u64::MAX), json!(-1), json!(0.5)]
        {
            for request in about(&json!(0), &number) {
                let answer = page.send(&request.to_string());
                assert!(answer["ok"].is_null() != answer["error"].is_null(), "{request}: {answer}");
            }
        }
        // The range ends before it starts.
        let tile = json!({"op": "tile", "slot": 0, "rows": [3, 1], "cells": [3, 1], "registers": [0]});
        assert_eq!(page.ask(tile)["values"], json!([]));
    }
}

#[test]
fn a_program_with_errors_is_described_and_not_run() {
    let mut page = Page(PageSession::default());
    let program =
        page.ask(json!({"op": "open", "text": "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbl[N] == A:\n    symbol[N] = A\n"}));
    let error = program["error"].as_str().expect("an error").to_owned();
    assert!(error.starts_with("line 3: unknown register `symbl`"), "{error}");
    assert!(program["diagnostics"].as_array().is_some_and(|found| !found.is_empty()) && program["layers"] == json!([]));
    let run = json!({"op": "run", "slot": 0, "prompt": "A", "machine": "psm"});
    assert_eq!(page.refusal(run), error);
}

#[test]
fn a_run_that_never_ends_keeps_what_ran() {
    let text = "registers: {symbol: 's', position: 'p', a: 'a', b: 'b'}\nconstants: {A, B}\n\
                where symbol[N] == A:\n    a[N] = A\nrepeat:\n    where a[N] == A:\n        b[N] = B\n    where a[N] == B:\n        b[N] = A\n\
                    where b[N] in [A, B]:\n        a[N] = b[N]\nuntil NO_CHANGE\n";
    let (mut page, run) = Page::with_run(text, "A");
    assert!(run["error"].as_str().is_some_and(|error| error.contains("never stops")), "{run}");
    assert_eq!((&run["continuation"], &run["rows"][0]), (&json!([]), &json!({"layer": 1, "pass": []})));
    let update = page.ask(json!({"op": "update", "slot": 0, "row": 0, "cell": 1}));
    assert_eq!(update["set"][0]["value"], "A");
}

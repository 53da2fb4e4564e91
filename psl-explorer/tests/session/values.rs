//! Values that contain operators and punctuation of PSL. Answers have them unchanged.

use serde_json::json;

use crate::{Page, list};

/// Checks the answers about a program with the value as a constant and in its prompt.
fn check(value: &str) {
    let name = if value.contains('\'') { format!("\"{value}\"") } else { format!("'{value}'") };
    let text = format!(
        "registers: {{symbol: 's', position: 'p', region: 'r', field: 'f'}}\nconstants: {{{name}, OTHER}}\n\
         where position[n] == position[N]:\n    field[N] = symbol[n]\n    region[N] = {name}\n\
         where field[n] in [{name}, OTHER] and region[N] != OTHER:\n    field[N] = region[n]\n"
    );
    let prompt = |symbol: &str| json!({"cells": json!([{"symbol": symbol}, {"symbol": "A"}]).to_string()});
    let (mut page, run) = Page::with_run(&text, prompt(value));
    assert_eq!(run["symbols"][0], value);

    let constant = |value: &str| json!({"name": value, "value": value});
    let reading = |register: &str, at: &str| json!({"register": register, "at": at, "function": null, "value": value});
    let why = page.ask(json!({"op": "why", "slot": 0, "row": 1, "cell": 2, "source": 1}));
    let condition = |index: usize| {
        let condition = &why["conditions"][index];
        json!([condition["left"], condition["operator"], condition["right"]])
    };
    assert_eq!(condition(0), json!([reading("field", "n"), "in", [constant(value), constant("OTHER")]]));
    assert_eq!(condition(1), json!([reading("region", "N"), "!=", constant("OTHER")]));

    let first = page.ask(json!({"op": "update", "slot": 0, "row": 0, "cell": 1}));
    let written = [
        json!({"register": 2, "value": value, "source": constant(value), "text": name}),
        json!({"register": 3, "value": value, "source": reading("symbol", "n"), "text": "symbol[n]"}),
    ];
    for (set, expected) in list(&first["set"]).iter().zip(written) {
        for field in ["register", "value", "source", "text"] {
            assert_eq!(set[field], expected[field]);
        }
    }
    let second = page.ask(json!({"op": "update", "slot": 0, "row": 1, "cell": 2}));
    assert_eq!(second["entries"][0]["query"]["values"], json!([value, "OTHER"]));
    assert_eq!(second["entries"][0]["key"]["values"], json!([value]));
    assert_eq!((&second["after"][3], &second["read"][2]), (&json!(value), &json!(value)));

    let about = |op: &str| json!({"op": op, "slot": 0, "register": 3, "cell": 2, "time": 2});
    assert_eq!(page.ask(about("history"))[1], json!({"row": 1, "before": "A", "value": value, "attends": 1}));
    let origin = page.ask(about("origin"));
    assert!(list(&origin).iter().all(|link| link["value"] == value), "{origin}");
    assert_eq!(origin[1]["text"], format!("region[N] = {name}"));

    let tensors = page.ask(json!({"op": "tensors", "slot": 0, "layer": 2}));
    assert_eq!(tensors["blocks"][0]["text"], format!("The query is each of `{value}`, `OTHER`."));
    let block = page.ask(json!({"op": "block", "slot": 0, "layer": 2, "attribute": "q", "index": 0}));
    let residual = page.ask(json!({"op": "residual", "slot": 0, "time": 2, "cells": [1, 2], "embedding": "local"}));
    for values in [&block["values"], &residual["values"]] {
        assert!(list(values).contains(&json!(value)), "{values}");
    }
    let parse = page.ask(json!({"op": "parse", "slot": 0, "time": 2}));
    assert_eq!(parse["tree"]["children"][0]["label"], value);
    assert_eq!(parse["tables"][0]["rows"][1]["cells"][1]["value"], value);

    page.run(1, prompt("A"));
    let text = format!("`field` of cell 1 becomes `{value}` in the first run, and becomes `A` in the second");
    assert_eq!(page.ask(json!({"op": "difference"}))["update"]["text"], text);
}

#[test]
fn values_are_sent_as_they_are() {
    for value in
        ["a, b", "it's", "say \"x\"", "x == y", "[n]", "field[N]", "u -> v", "w ← z", "e@f", "!= x", "not in x"]
    {
        check(value);
    }
}

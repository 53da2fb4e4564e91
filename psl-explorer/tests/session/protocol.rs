//! The fields of the answers, against the types of the page.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{PARGEN, Page, list};

const PROTOCOL: &str = include_str!("../../../web/src/protocol.ts");

/// The fields of each interface, and whether each may be missing.
fn interfaces() -> BTreeMap<String, BTreeMap<String, bool>> {
    let mut text = PROTOCOL.to_owned();
    while let Some((before, rest)) = text.split_once("/*") {
        text = format!("{before}{}", rest.split_once("*/").expect("the end of a comment").1);
    }
    let mut found: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    for part in text.split("interface ").skip(1) {
        let (head, rest) = part.split_once('{').expect("a body");
        let mut words = head.split_whitespace();
        let name = words.next().expect("a name");
        let parent = words.nth(1).and_then(|parent| found.get(parent)).cloned();
        let mut fields = parent.unwrap_or_default();
        let (mut depth, mut field) = (1, String::new());
        for character in rest.chars() {
            depth += match character {
                '{' | '[' | '(' | '<' => 1,
                '}' | ']' | ')' | '>' => -1,
                _ => 0,
            };
            let ends = depth == 0 || (depth == 1 && matches!(character, ';' | '\n'));
            if !ends {
                field.push(character);
                continue;
            }
            if let Some((name, _)) = field.split_once(':') {
                let name = name.trim();
                fields.insert(name.trim_end_matches('?').to_owned(), name.ends_with('?'));
            }
            field.clear();
            if depth == 0 {
                break;
            }
        }
        found.insert(name.to_owned(), fields);
    }
    found
}

#[test]
fn answers_have_the_fields_of_the_page() {
    let interfaces = interfaces();
    assert!(interfaces.len() > 20, "{interfaces:#?}");
    let check = |name: &str, value: &Value| {
        let fields = interfaces.get(name).unwrap_or_else(|| panic!("{name} is not in protocol.ts"));
        let value = value.as_object().unwrap_or_else(|| panic!("{name} is not an object: {value}"));
        let sent: BTreeSet<&str> = value.keys().map(String::as_str).collect();
        let known: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
        let needed: BTreeSet<&str> =
            fields.iter().filter(|(_, optional)| !**optional).map(|(name, _)| &**name).collect();
        assert!(sent.is_subset(&known) && needed.is_subset(&sent), "{name}: sent {sent:?}, known {known:?}");
    };
    let text = PARGEN.replacen("=> \"", "=> \"x", 1) + "where symbol[n] == nul:\n    symbol[N] = symbol[n]\n";
    let diagnostics = Page(psl_explorer::PageSession::default()).ask(json!({"op": "open", "text": text}));
    check("Diagnostic", &diagnostics["diagnostics"][0]);
    let mut page = Page(psl_explorer::PageSession::default());
    let program = page.ask(json!({"op": "open", "text": PARGEN.replacen("=> \"", "=> \"x", 1)}));
    check("Program", &program);
    let first = |list: &str, name| check(name, &program[list][0]);
    first("tokens", "Token");
    first("layers", "Layer");
    first("blocks", "Block");
    first("registers", "Register");
    first("tests", "TestLine");
    check("Span", &program["layers"][0]["span"]);
    for attribute in ["q", "k", "v"] {
        check("Slot", &program["layers"][3][attribute][0]);
    }
    let run = page.run(0, json!({"test": 0}));
    check("Run", &run);
    check("Row", &run["rows"][0]);
    assert!(run["wrong"]["text"].is_string() && run["wrong"]["cell"].is_number(), "{run}");
    check("Tile", &page.ask(json!({"op": "tile", "slot": 0, "rows": [0, 2], "cells": [1, 3], "registers": [0]})));
    let fires = |page: &mut Page, row: &usize| {
        let attention = page.ask(json!({"op": "attention", "slot": 0, "row": row}));
        check("Attention", &attention);
        list(&attention["attends"]).iter().position(|attends| attends.as_i64() > Some(0)).map(|cell| cell + 1)
    };
    let rows = list(&run["rows"]).len();
    let (row, cell) = (0..rows).find_map(|row| Some((row, fires(&mut page, &row)?))).expect("a layer fires");
    let update = page.ask(json!({"op": "update", "slot": 0, "row": row, "cell": cell}));
    check("UpdateDetail", &update);
    check("Entry", &update["entries"][0]);
    assert!(update["set"][0]["span"]["line"].is_number(), "{update}");
    let why = page.ask(json!({"op": "why", "slot": 0, "row": row, "cell": cell, "source": update["attends"]}));
    assert_eq!(why, update["why"]);
    check("Why", &why);
    check("ConditionResult", &why["conditions"][0]);
    check("Side", &why["conditions"][0]["left"]);
    let register = &update["set"][0]["register"];
    check("Write", &page.ask(json!({"op": "history", "slot": 0, "register": register, "cell": cell}))[0]);
    let origin = json!({"op": "origin", "slot": 0, "register": register, "cell": cell, "time": rows});
    check("Link", &page.ask(origin)[0]);
    page.run(1, "Q a A a . Q c A");
    let difference = page.ask(json!({"op": "difference"}));
    check("Difference", &difference);
    let update = &difference["update"];
    check("Place", if update["first"].is_null() { &update["second"] } else { &update["first"] });
    let tensors = page.ask(json!({"op": "tensors", "slot": 0, "layer": 1}));
    check("LayerTensors", &tensors);
    check("TensorBlock", &tensors["blocks"][0]);
    check("BlockNumbers", &page.ask(json!({"op": "block", "slot": 0, "layer": 1, "attribute": "q", "index": 0})));
    let residual = json!({"op": "residual", "slot": 0, "time": 0, "cells": [1, 2], "embedding": "local"});
    check("Residual", &page.ask(residual));
    let parse = page.ask(json!({"op": "parse", "slot": 0, "time": rows}));
    check("Parse", &parse);
    check("Node", &parse["tree"]);
    assert!(parse["tables"][0]["rows"][0]["cells"][0]["marked"].is_boolean(), "{parse}");
}

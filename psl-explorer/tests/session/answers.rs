//! Answers about a small program.

use serde_json::{Value, json};

use crate::{PARGEN, Page, list};

const PROGRAM: &str = "//@ test é \"A B A\" => \"A\"\n//@ max-new 2\n\
    registers: {symbol: 's', position: 'p', mark: 'm', seen: 'n'}\nconstants: {A, B, ONE: 1}\nwatch: [mark]\n\
    # é😀: mark the cell after `A`\nwhere_rm position[n] == position[N]@pos_decrement and symbol[n] in [A, B] and symbol[N] != A:\n    \
    mark[N] = symbol[n]\n# copy\nwhere mark[n] == mark[N]:\n    seen[N] = mark[n]\n    symbol[N] = A\n";

const HEAD: &str = "where_rm position[n] == position[N]@pos_decrement and symbol[n] in [A, B] and symbol[N] != A:";

#[test]
fn a_program_has_its_layers_and_places_in_code_units() {
    let program = Page(psl_explorer::PageSession::default()).ask(json!({"op": "open", "text": PROGRAM}));
    let units: Vec<u16> = PROGRAM.encode_utf16().collect();
    let text = |span: &Value| {
        let of = |name: &str| span[name].as_u64().expect("a number") as usize;
        String::from_utf16(&units[of("start")..of("end")]).expect("text")
    };
    let layer = &program["layers"][0];
    assert_eq!(text(&layer["head"]), HEAD);
    assert_eq!((&layer["label"], &layer["span"]["line"]), (&json!("é😀: mark the cell after `A`"), &json!(7)));
    let slots = json!([
        {"name": "p`", "operator": null, "terms": ["p@pos_decrement"]},
        {"name": "s`", "operator": "in", "terms": ["A", "B"]},
        {"name": "s", "operator": null, "terms": ["s"]},
    ]);
    assert_eq!((&layer["q"], &layer["rightmost"], &layer["bindsN"]), (&slots, &json!(true), &json!(true)));
    assert_eq!(layer["v"], json!([{"name": "m", "operator": null, "terms": ["s"]}]));
    let register = json!({"long": "mark", "short": "m", "roles": [], "watched": true});
    assert_eq!((&program["registers"][2], &program["registers"][1]["roles"]), (&register, &json!(["position"])));
    assert_eq!(program["tests"], json!([{"name": "é", "prompt": "A B A", "file": null, "gold": "A", "line": 1}]));
    let kinds = list(&program["tokens"]).iter().filter(|token| text(token) == "mark").map(|token| &token["type"]);
    assert_eq!(kinds.collect::<Vec<_>>(), ["variable", "variable", "property", "variable", "variable", "variable"]);
}

#[test]
fn a_run_says_whether_its_test_passes() {
    let (mut page, run) = Page::with_run(PROGRAM, json!({"test": 0}));
    assert_eq!((&run["gold"], &run["promptCells"]), (&json!("A"), &json!(3)));
    let passed = list(&run["continuation"]) == [json!("A")];
    assert_eq!((&run["passed"], run["wrong"].is_null()), (&json!(passed), passed), "{run}");
    let failing = PROGRAM.replace("=> \"A\"", "=> \"B B\"");
    let mut page_of_failing = Page::new(&failing);
    let failed = page_of_failing.run(0, json!({"test": 0}));
    assert_eq!((&failed["passed"], &failed["wrong"]["number"]), (&json!(false), &json!(1)));
    assert_eq!(page.run(0, "A B A")["passed"], Value::Null);
}

#[test]
fn a_structured_prompt_runs_like_the_symbols_or_the_file_of_a_test() {
    let (mut page, run) = Page::with_run(PROGRAM, "A B A");
    let cells = r#"[{"symbol": "A"}, {"symbol": "B"}, {"symbol": "A"}]"#;
    assert_eq!(page.run(0, json!({ "cells": cells })), run);
    // The program with a test whose prompt is in a file.
    let program = format!("//@ test json \"cells.json\" => \"A\"\n{PROGRAM}");
    let marked = r#"[{"symbol": "A", "mark": "B"}]"#;
    let mut page = Page(psl_explorer::PageSession::default());
    page.ask(json!({"op": "open", "text": program, "prompts": {"cells.json": marked}}));
    let test = page.run(0, json!({"test": 0}));
    let own = page.run(1, json!({ "cells": marked }));
    assert!(own["note"].as_str().is_some_and(|note| note.contains("//@ input mark")), "{own}");
    for field in ["symbols", "continuation", "writes", "note"] {
        assert_eq!(own[field], test[field], "{field}");
    }
    assert_eq!((&own["gold"], &own["passed"]), (&Value::Null, &Value::Null));
}

#[test]
fn the_wrong_symbol_of_a_test_leads_to_its_layer() {
    let text = PARGEN.replacen("=> \"", "=> \"x ", 1);
    let (mut page, run) = Page::with_run(&text, json!({"test": 0}));
    let (row, cell) = (&run["wrong"]["row"], &run["wrong"]["cell"]);
    assert_eq!((&run["wrong"]["number"], cell), (&json!(1), &run["promptCells"]));
    let update = page.ask(json!({"op": "update", "slot": 0, "row": row, "cell": cell}));
    let written = list(&update["set"]).iter().find(|set| set["register"] == 0).expect("the symbol");
    assert_eq!(written["value"], run["continuation"][0]);
    let layer = update["layer"].as_u64().expect("a number");
    let words = run["wrong"]["text"].as_str().expect("a text");
    assert!(words.contains(&format!("layer {layer} (")) && words.contains("line "), "{words}");
}

#[test]
fn a_condition_has_both_sides() {
    let (mut page, _) = Page::with_run(PROGRAM, "A B A");
    let why = page.ask(json!({"op": "why", "slot": 0, "row": 0, "cell": 2, "source": 1}));
    let compared = |condition: &Value| json!([condition["left"], condition["operator"], condition["right"]]);
    let reading = |register: &str, at: &str, value: &str| json!({"register": register, "at": at, "function": null, "value": value});
    let previous = json!({"register": "position", "at": "N", "function": "pos_decrement", "value": "1"});
    let constant = |value: &str| json!({"name": value, "value": value});
    assert_eq!(
        list(&why["conditions"]).iter().map(compared).collect::<Value>(),
        json!([
            [reading("position", "n", "1"), "==", previous],
            [reading("symbol", "n", "A"), "in", [constant("A"), constant("B")]],
            [reading("symbol", "N", "B"), "!=", constant("A")],
        ])
    );
    let written = |condition: &Value| json!([condition["text"], condition["holds"]]);
    assert_eq!(
        list(&why["conditions"]).iter().map(written).collect::<Value>(),
        json!([
            ["position[n] == position[N]@pos_decrement", true],
            ["symbol[n] in [A, B]", true],
            ["symbol[N] != A", true]
        ])
    );
    assert_eq!((&why["visible"], &why["firstFailed"], &why["wins"]), (&json!(true), &Value::Null, &json!(true)));
    let why_not = page.ask(json!({"op": "why", "slot": 0, "row": 0, "cell": 2, "source": 3}));
    assert_eq!((&why_not["firstFailed"], &why_not["holds"]), (&json!(0), &json!(false)));
    let update = page.ask(json!({"op": "update", "slot": 0, "row": 0, "cell": 2}));
    let query = json!({"negated": false, "values": ["1"], "register": "position", "function": "pos_decrement"});
    let key = json!({"negated": false, "values": ["1"], "register": "position", "function": null});
    let entry = json!({"slot": "p`", "register": "position", "query": query, "key": key, "match": true});
    assert_eq!((&update["entries"][0], &update["entries"][1]["query"]["values"]), (&entry, &json!(["A", "B"])));
    assert_eq!(
        (&update["read"], &update["set"][0]["text"], &update["set"][0]["source"]),
        (&json!(["A", "1", null, null]), &json!("symbol[n]"), &reading("symbol", "n", "A"))
    );
}

#[test]
fn a_value_has_a_history_and_an_origin() {
    let (mut page, _) = Page::with_run(PROGRAM, "A B A");
    let ask = |op: &str| json!({"op": op, "slot": 0, "register": 3, "cell": 2, "time": 2});
    assert_eq!(page.ask(ask("history")), json!([{"row": 1, "before": null, "value": "A", "attends": 2}]));
    let links = page.ask(ask("origin"));
    let link =
        |link: &Value| json!([link["register"], link["cell"], link["time"], link["row"], link["kind"], link["text"]]);
    assert_eq!(
        list(&links).iter().map(link).collect::<Value>(),
        json!([
            [3, 2, 2, 1, "assigned", "seen[N] = mark[n]"],
            [2, 2, 1, 0, "assigned", "mark[N] = symbol[n]"],
            [0, 1, 0, null, "prompt", "the prompt sets it in cell 1"],
        ])
    );
}

#[test]
fn two_runs_differ_at_their_first_update() {
    let mut page = Page::new(PROGRAM);
    page.run(0, "A B A");
    page.run(1, "A B A");
    assert_eq!(page.ask(json!({"op": "difference"})), json!({"start": null, "update": null}));
    page.run(1, "A A A");
    let difference = page.ask(json!({"op": "difference"}));
    let first = json!({"row": 0, "cell": 2, "layer": 1, "pass": [], "register": null, "text": "step 0, layer 1, pass [], cell 2"});
    assert_eq!((&difference["start"], &difference["update"]["first"]), (&json!(2), &first));
    let text = "cell 2 attends to cell 1 in the first run, and to no cell in the second";
    assert_eq!(difference["update"]["text"], text);
    page.run(1, "B B A");
    let update = &page.ask(json!({"op": "difference"}))["update"];
    assert_eq!((&update["first"]["register"], update["first"]["row"].is_number()), (&json!(2), true), "{update}");
    assert_eq!(update["text"], "`mark` of cell 2 becomes `A` in the first run, and becomes `B` in the second");
}

#[test]
fn weights_and_vectors_are_made_for_the_run() {
    let (mut page, run) = Page::with_run(PROGRAM, "A B A");
    let tensors = page.ask(json!({"op": "tensors", "slot": 0, "layer": 1}));
    let dimension = tensors["dimension"].as_u64().expect("a number") as usize;
    assert_eq!(list(&tensors["registers"])[..4], ["s", "p", "m", "n"]);
    for attribute in ["q", "k", "v"] {
        let blocks = list(&tensors["blocks"]).iter().filter(|block| block["attribute"] == attribute);
        for (index, block) in blocks.enumerate() {
            let numbers = json!({"op": "block", "slot": 0, "layer": 1, "attribute": attribute, "index": index});
            let numbers = page.ask(numbers);
            assert_eq!(list(&numbers["values"]).len(), dimension);
            assert_eq!(
                (list(&numbers["weights"]).len(), list(&numbers["bias"]).len()),
                (
                    block["weights"].as_u64().expect("a number") as usize,
                    block["biases"].as_u64().expect("a number") as usize,
                )
            );
        }
    }
    let kinds: Vec<&Value> = list(&tensors["blocks"]).iter().map(|block| &block["kind"]).collect();
    assert!(["identity", "shift", "many", "complement"].iter().all(|kind| kinds.contains(&&json!(kind))), "{kinds:?}");
    let cells = list(&run["symbols"]).len();
    for embedding in ["local", "distributed", "local"] {
        let ask = json!({"op": "residual", "slot": 0, "time": 0, "cells": [1, cells + 1], "embedding": embedding});
        let residual = page.ask(ask);
        let vectors = list(&residual["vectors"]);
        let components = dimension * list(&residual["registers"]).len();
        assert!(vectors.len() == cells && vectors.iter().all(|vector| list(vector).len() == components), "{embedding}");
        let sum: f64 = list(&vectors[0]).iter().map(|component| component.as_f64().expect("a number").powi(2)).sum();
        // Cell 1 has two values, and the vectors of values are orthonormal.
        assert!((sum - 2.0).abs() < 1e-3, "{embedding}: {sum}");
    }
}

//! The schedule of a program, and the codes of its layers.

use serde_json::{Value, json};

use crate::{PARGEN, Page, list};

/// Layer 1 has two heads, and layer 2 one.
const PROGRAM: &str = "//@ max-new 1\nregisters: {symbol: 's', position: 'p', mark: 'm', side: 'd'}\nconstants: {A, B}\n\
    # first\nwhere symbol[n] == A:\n    mark[N] = symbol[n]\n\
    # second\nwhere mark[n] == A:\n    symbol[N] = B\n\
    # third\nwhere position[n] == position[N]@pos_decrement:\n    side[N] = A\n";

const SCAN: &str = include_str!("../../../examples/scan.psl");

fn codes(page: &mut Page, layer: usize, pass: &[usize]) -> Value {
    page.ask(json!({"op": "codes", "slot": 0, "layer": layer, "pass": pass}))
}

#[test]
fn a_schedule_has_its_picture_and_its_layers() {
    let schedule = Page::new(PROGRAM).ask(json!({"op": "schedule"}));
    assert_eq!(schedule["summary"], "3 productions in 2 layers of up to 2 heads");
    let head = |production: usize, name: &str| json!({"production": production, "name": name});
    assert_eq!(schedule["layers"], json!([[head(1, "first"), head(3, "third")], [head(2, "second")]]));
    let picture = schedule["picture"].as_str().expect("a picture");
    assert_eq!(picture.matches("data-production=").count(), 3, "{picture}");
    let limited = Page::new(PROGRAM).ask(json!({"op": "schedule", "limit": 1}));
    assert_eq!(list(&limited["layers"]).len(), 3);
}

#[test]
fn the_codes_of_a_layer_have_their_heads_meaning_and_pairs() {
    let (mut page, _) = Page::with_run(PROGRAM, "A B");
    let found = codes(&mut page, 1, &[]);
    let code = |heads: &[usize], meaning: &str| json!({"heads": heads, "meaning": meaning, "pairs": 1});
    let expected =
        [code(&[0], "copies symbol from n to mark"), code(&[0, 1], "copies symbol from n to mark, sets side to A")];
    assert_eq!(list(&found["distinct"])[..2], expected, "{found}");
    assert_eq!(list(&found["pairs"])[..2], [json!([1, 1, 0]), json!([2, 1, 1])]);
    assert_eq!((&found["layer"], &found["pass"]), (&json!(1), &json!([])));
    assert_eq!(found["similarities"][0][0], 1.0);
}

#[test]
fn an_ablated_production_of_the_schedule_is_that_of_the_run() {
    let mut page = Page::new(PROGRAM);
    // Without the mark, the second production attends to nothing.
    let pairs = |page: &mut Page, ablated: &[usize]| {
        page.ask(json!({"op": "run", "slot": 0, "prompt": "A B", "machine": "dat", "ablated": ablated}));
        list(&codes(page, 2, &[])["pairs"]).len()
    };
    assert_eq!(
        [pairs(&mut page, &[]) > 0, pairs(&mut page, &[1]) > 0, pairs(&mut page, &[3]) > 0],
        [true, false, true]
    );
}

#[test]
fn the_codes_agree_with_the_attention_of_the_run() {
    for (text, prompt) in [(PARGEN, "Q a A a . Q b A"), (SCAN, "jump twice")] {
        let (mut page, run) = Page::with_run(text, prompt);
        let schedule = page.ask(json!({"op": "schedule"}));
        for (layer, heads) in (1..).zip(list(&schedule["layers"])) {
            for (row, ran) in list(&run["rows"]).iter().enumerate() {
                let head = list(heads).iter().position(|head| head["production"] == ran["layer"]);
                let Some(head) = head else { continue };
                let pass: Vec<usize> = serde_json::from_value(ran["pass"].clone()).expect("numbers");
                let found = codes(&mut page, layer, &pass);
                assert_eq!(found["pass"], ran["pass"]);
                let attention = page.ask(json!({"op": "attention", "slot": 0, "row": row}));
                let attends = (1_i64..).zip(list(&attention["attends"]).iter().filter_map(Value::as_i64));
                let by_run: Vec<[i64; 2]> = attends.filter(|(_, to)| *to > 0).map(|(cell, to)| [cell, to]).collect();
                let has_head = |pair: &&Value| {
                    let code = &found["distinct"][pair[2].as_u64().expect("an index") as usize];
                    list(&code["heads"]).contains(&json!(head))
                };
                let pairs = list(&found["pairs"]).iter().filter(has_head);
                let by_codes: Vec<[i64; 2]> =
                    pairs.map(|pair| [pair[0].as_i64().expect("N"), pair[1].as_i64().expect("n")]).collect();
                assert_eq!(by_codes, by_run, "layer {layer}, row {row}");
            }
        }
    }
}

#[test]
fn programs_with_errors_and_unknown_layers_are_refused() {
    let (mut page, _) = Page::with_run(PROGRAM, "A B");
    for layer in [0, 3, usize::MAX] {
        let request = json!({"op": "codes", "slot": 0, "layer": layer, "pass": []});
        assert_eq!(page.refusal(request), format!("unknown layer {layer}"));
    }
    assert_eq!(list(&codes(&mut page, 1, &[7])["pass"]), [] as [Value; 0]);
    assert!(page.refusal(json!({"op": "schedule", "limit": 0})).starts_with("invalid request: "));
    page.ask(json!({"op": "open", "text": "registers: {"}));
    assert!(page.refusal(json!({"op": "schedule"})).starts_with("line 1: "));
}

#[test]
fn a_run_that_fails_has_no_codes() {
    let text = "registers: {symbol: 's', position: 'p', a: 'a', b: 'b'}\nconstants: {A, B}\n\
                where symbol[N] == A:\n    a[N] = A\nrepeat:\n    where a[N] == A:\n        b[N] = B\n    \
                where a[N] == B:\n        b[N] = A\n    where b[N] in [A, B]:\n        a[N] = b[N]\nuntil NO_CHANGE\n";
    let (mut page, run) = Page::with_run(text, "A");
    let refusal = page.refusal(json!({"op": "codes", "slot": 0, "layer": 1, "pass": []}));
    assert!(run["error"].is_string() && refusal.contains("never stops"), "{run}: {refusal}");
}

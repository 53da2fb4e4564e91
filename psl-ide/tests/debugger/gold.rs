//! The first symbol that differs from the gold.

use psl_ide::{
    TestName,
    debugger::{DebugPrompt, gold_difference},
};

use crate::{debugger, launched, shown};

/// The second layer writes `B` into the third cell alone.
const PROGRAM: &str = "//@ max-new 3\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {B, third: '3'}\n\
                       where symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n\
                       where position[N] == third:\n    symbol[N] = B\n";

fn check(gold: &str, expected: Option<&str>) {
    let text = format!("//@ test \"a\" => \"{gold}\"\n{PROGRAM}");
    let debugger = launched(&text, DebugPrompt::Test(TestName::Index(0)));
    let timeline = debugger.timeline();
    let found = gold_difference(&debugger).map(|found| {
        let [expected, got] = [found.expected, found.got].map(|symbol| symbol.unwrap_or_else(|| "nothing".to_owned()));
        let written = found.written.map_or("nowhere".to_owned(), |written| shown(timeline, written));
        format!("expected {expected}, got {got}, {}, from {written}", shown(timeline, found.moment))
    });
    assert_eq!(found.as_deref(), expected);
}

#[test]
fn the_first_wrong_symbol_is_found_with_the_layer_that_wrote_it() {
    check(" a  a B ", None);
    check("a a c", Some("expected c, got B, 2: symbol, from 2: layer 2 [] cell 3"));
    check("c a B", Some("expected c, got a, 0: symbol, from nowhere"));
    check("a a", Some("expected nothing, got B, 2: symbol, from 2: layer 2 [] cell 3"));
    check("a a B B", Some("expected B, got nothing, 3: end, from nowhere"));
}

#[test]
fn a_prompt_without_gold_has_no_difference() {
    assert_eq!(gold_difference(&debugger(PROGRAM, "a")), None);
}

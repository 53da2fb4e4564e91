//! Shorter prompts on which a test fails for the same reason.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail by panic")]

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::File;
use psl_search::{MinimalPrompt, NoSearch, OneThread, minimize_prompt};

fn minimal(text: &str) -> Result<MinimalPrompt, NoSearch> {
    let file = File::new(text, Arc::default());
    minimize_prompt(&file, 0, &OneThread, &Arc::new(AtomicBool::new(false)))
}

/// Shortens the prompt of the test of a program, and compares what is left.
#[track_caller]
fn check(directive: &str, productions: &str, expected: &str) -> MinimalPrompt {
    let text = format!(
        "//@ max-new 2\n//@ {directive}\nregisters: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A, B, C, END: '.'}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n{productions}"
    );
    let minimal = minimal(&text).expect("a failing test");
    assert_eq!(minimal.symbols.join(" "), expected, "{text}");
    assert!(!minimal.cut_off);
    minimal
}

/// The mark is the last `B` or `C`, and ends the continuation after an `A`.
const COPY: &str = "where_rm symbol[n] in [B, C]:\n    mark[N] = symbol[n]\nwhere symbol[N] == A:\n    mark[N] = END\n";

#[test]
fn a_wrong_symbol_keeps_its_production_and_the_symbols_that_decide() {
    let minimal = check("test \"x B y z C w u\" => \"B B\"", COPY, "B C u");
    let why = minimal.explanation.expect("an explanation");
    assert_eq!(why.difference(), "symbol 1 is `C`");
    assert_eq!(minimal.before, 7);
    // The expected symbol is new, so that no symbol of the prompt has to stay for it.
    check("test \"x B y z C w u\" => \"new B\"", COPY, "C u");
}

#[test]
fn a_wrong_symbol_keeps_the_symbol_before_it() {
    check("test \"C x A y\" => \"new\"", COPY, "C y");
}

#[test]
fn a_null_symbol_stays_null() {
    check("test \"x y z\" => \"B B\"", COPY, "z");
}

#[test]
fn a_continuation_that_is_cut_off_is_still_cut_off() {
    let minimal = check("test \"x B x\" => \"B B C\"", COPY, "x");
    assert!(minimal.explanation.is_none());
}

#[test]
fn a_run_that_fails_keeps_its_block() {
    let block = |symbol: &str| {
        format!("repeat:\n    where symbol[N] == {symbol}:\n        mark[N] = A\nuntil mark[N] == {symbol}\n")
    };
    let blocks =
        format!("where symbol[N] != B:\n    mark[N] = C\n{}", block("C").replace("mark[N] == C", "mark[N] != B"));
    let endless = check("test \"x C y B z\" => \"B\"", &format!("{blocks}{}", block("B")), "z");
    assert!(endless.continuation.expect_err("a failure").contains("repeat block 2"));
}

#[test]
fn a_broken_law_is_shortened_too() {
    let minimal = check("law \"B $x A $y\" => \"$y .\"", COPY, "B y");
    assert_eq!(minimal.before, 4);
}

#[test]
fn a_test_that_passes_is_refused() {
    let text = "//@ max-new 1\n//@ test \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                system: {symbol: symbol, position: position, output: symbol}\nwhere symbol[N] == B:\n    symbol[N] = A\n";
    assert_eq!(minimal(text).err(), Some(NoSearch::Passes));
    assert_eq!(
        minimal(&text.replace("test \"A\" => \"A\"", "law \"$x\" => \"$x\"").replace("= A", "= B")).err(),
        Some(NoSearch::Passes)
    );
    assert_eq!(minimal(&text.replace("test \"A\"", "test json a.json")).err().map(|_| ()), Some(()));
    assert_eq!(minimal(&text.replace("== B:", "== ?:")).err(), Some(NoSearch::Errors));
}

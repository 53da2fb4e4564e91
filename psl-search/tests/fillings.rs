//! Fillings of holes.

#![allow(clippy::expect_used)]

use std::sync::{Arc, atomic::AtomicBool};

use psl_program::File;
use psl_search::{Example, Fillings, NoSearch, OneThread, fill_file};
use psl_syntax::program::TestPrompt;

/// Searches for fillings of a program, after declarations and tests that map A to B, B to C and C to the stop symbol.
fn fillings(productions: &str, examples: &[Example]) -> Result<Fillings, NoSearch> {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'}}
        constants: {{A, B, C, END: '.'}}
        system: {{symbol: symbol, position: position, output: mark}}
        //@ max-new 1
        //@ test \"C A\" => \"B\"
        //@ test \"A B\" => \"C\"
        //@ test \"B C\" => \".\"
        {productions}"
    );
    fill_file(&File::new(text, Arc::default()), examples, &OneThread, &Arc::new(AtomicBool::new(false)))
}

/// Checks the first fillings of the holes, separated by `|`, and the number of all fillings.
fn check(productions: &str, first: &[&str], all: usize) {
    let fillings = fillings(productions, &[]).expect("holes and tests");
    let parts: Vec<String> = fillings.found.iter().map(|filling| filling.parts.join(" | ")).collect();
    let shown: Vec<&str> = parts.iter().take(first.len()).map(String::as_str).collect();
    assert_eq!((shown.as_slice(), parts.len()), (first, all), "{parts:?}");
    assert!(!fillings.cut_off);
}

#[test]
fn a_constant() {
    check(
        "where symbol[N] == A: mark[N] = B
        where symbol[N] == ?: mark[N] = C
        where symbol[N] == C: mark[N] = END",
        &["B", "mark[n]"],
        2,
    );
}

#[test]
fn two_holes_that_depend_on_each_other() {
    check(
        "where symbol[N] == A: mark[N] = B
        where symbol[N] == ?: mark[N] = ?
        where symbol[N] == C: mark[N] = END",
        &["B | C"],
        2,
    );
}

#[test]
fn an_entry_of_a_list() {
    check(
        "where symbol[N] in [A, ?]: mark[N] = B
        where symbol[N] == B: mark[N] = C
        where symbol[N] == C: mark[N] = END",
        &["B", "C", "END"],
        3,
    );
}

#[test]
fn a_register_a_cell_and_a_comparison() {
    check(
        "where ?[N] == A: mark[N] = B
        where symbol[?] == B: mark[N] = C
        where symbol[N] ? C: mark[N] = END",
        &["symbol | N | ==", "symbol | n | =="],
        2,
    );
}

#[test]
fn a_condition() {
    check(
        "where position[N] == position[N]: mark[N] = END
        where ?: mark[N] = B
        where symbol[N] == B: mark[N] = C",
        &["symbol[N] == A", "symbol[N] != C"],
        3,
    );
}

#[test]
fn an_assignment() {
    check(
        "where symbol[N] == A:
            ?
        where symbol[N] == B: mark[N] = C
        where symbol[N] == C: mark[N] = END",
        &["mark[N] = B"],
        1,
    );
}

#[test]
fn nothing_belongs_there() {
    check(
        "where symbol[N] == A: mark[N] = B
        where symbol[N] == ?: mark[N] = A",
        &[],
        0,
    );
}

#[test]
fn a_prompt_tells_fillings_apart() {
    let fillings = fillings(
        "where symbol[N] == A: mark[N] = B
        where symbol[N] == B: mark[N] = C
        where position[N] == ? and symbol[N] == C: mark[N] = END",
        &[],
    );
    let telling = fillings.expect("holes and tests").telling.expect("a prompt");
    assert!(telling.continuations.len() > 1, "{telling:?}");
    assert_eq!(telling.continuations.first().and_then(|(_, fillings)| fillings.first()), Some(&0));
}

#[test]
fn examples_beside_the_tests_count() {
    let productions = "where symbol[N] == A: mark[N] = B
        where symbol[N] == ?: mark[N] = C
        where symbol[N] == C: mark[N] = END";
    let example = Example { prompt: TestPrompt::Plain("C B".to_owned()), gold: "C".to_owned() };
    let [one, two] =
        [vec![example], vec![]].map(|examples| fillings(productions, &examples).expect("holes").found.len());
    assert_eq!([one, two], [1, 2]);
}

#[test]
fn reasons_not_to_search() {
    let reason = |productions: &str| fillings(productions, &[]).err();
    assert_eq!(reason("where symbol[N] == A: mark[N] = B"), Some(NoSearch::NoHoles));
    assert_eq!(reason("where symbol[N] == ?: mark[N] = D"), Some(NoSearch::Errors));
}

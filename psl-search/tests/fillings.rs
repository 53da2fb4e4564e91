//! Fillings of holes.

#![allow(clippy::expect_used)]

mod common;

use std::{
    iter,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize},
    },
};

use common::Few;
use psl_program::File;
use psl_search::{Example, Fillings, NoSearch, OneThread, Workers, candidates, fill_file};
use psl_syntax::{holes::holes, program::TestPrompt};

/// A program with further registers after declarations and tests that map A to B, B to C and C to the stop symbol.
fn program(registers: usize, productions: &str) -> File {
    let registers = common::registers(registers);
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'{registers}}}
        constants: {{A, B, C, END: '.'}}
        system: {{symbol: symbol, position: position, output: mark}}
        //@ max-new 1
        //@ test \"C A\" => \"B\"
        //@ test \"A B\" => \"C\"
        //@ test \"B C\" => \".\"
        {productions}"
    );
    File::new(text, Arc::default())
}

/// Searches for fillings of a program.
fn fillings(productions: &str, examples: &[Example]) -> Result<Fillings, NoSearch> {
    filled(&program(0, productions), examples, &OneThread)
}

fn filled(file: &File, examples: &[Example], workers: &dyn Workers) -> Result<Fillings, NoSearch> {
    fill_file(file, examples, workers, &Arc::new(AtomicBool::new(false)))
}

/// Checks the first fillings of the holes, separated by `|`, and the number of all, with those that do the same.
fn check(productions: &str, first: &[&str], all: usize) {
    let fillings = fillings(productions, &[]).expect("holes and tests");
    let parts: Vec<String> = fillings.found.iter().map(|filling| filling.parts.join(" | ")).collect();
    let shown: Vec<&str> = parts.iter().take(first.len()).map(String::as_str).collect();
    let count: usize = fillings.found.iter().map(|filling| 1 + filling.same.len()).sum();
    assert_eq!((shown.as_slice(), count), (first, all), "{parts:?}");
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
        &["B", "END"],
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
    let distinguishing_prompt = fillings.expect("holes and tests").distinguishing_prompt.expect("a prompt");
    assert!(distinguishing_prompt.continuations.len() > 1, "{distinguishing_prompt:?}");
    assert_eq!(distinguishing_prompt.continuations.first().and_then(|(_, fillings)| fillings.first()), Some(&0));
}

#[test]
fn fillings_that_do_the_same_are_one() {
    let fillings = fillings(
        "where symbol[N] == ?: mark[N] = C where symbol[N] == C: mark[N] = END
        where symbol[N] == A: mark[N] = B",
        &[],
    )
    .expect("holes and tests");
    let parts: Vec<Vec<&str>> = fillings
        .found
        .iter()
        .map(|filling| {
            iter::once(filling).chain(&filling.same).flat_map(|filling| &filling.parts).map(String::as_str).collect()
        })
        .collect();
    assert_eq!(parts, [vec!["B"], vec!["symbol[n]", "symbol[N]"]]);
}

#[test]
fn fillings_without_plain_prompts_to_compare_them_stay_apart() {
    let text = program(0, "where symbol[N] == A: mark[N] = ?")
        .text()
        .lines()
        .filter(|line| !line.contains("test"))
        .fold("//@ test json \"a.json\" => \"A\"".to_owned(), |text, line| text + "\n" + line);
    let file = File::new(text, Arc::default()).with_prompts(|_| Ok("[{\"symbol\": \"A\"}]".to_owned()));
    let found = filled(&file, &[], &OneThread).expect("holes and a test").found;
    assert!(found.len() > 1);
    assert!(found.iter().all(|filling| filling.same.is_empty()));
}

#[test]
fn examples_beside_the_tests_count() {
    let productions = "where symbol[N] == A: mark[N] = B
        where symbol[N] == ?: mark[N] = C
        where symbol[N] == C: mark[N] = END";
    let example = Example { prompt: TestPrompt::Plain("C B".to_owned()), gold: "C".to_owned(), row: false };
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

const A_CONDITION: &str = "where position[N] == position[N]: mark[N] = END
    where ?: mark[N] = B
    where symbol[N] == B: mark[N] = C";

/// Checks that a search ends after as many programs as it may try.
fn check_few(file: &File, limit: usize) {
    let found = filled(file, &[], &Few(AtomicUsize::new(limit))).expect("holes and tests");
    assert_eq!((found.tried, found.cut_off), (limit, true));
}

#[test]
fn a_search_among_many_registers_makes_only_what_it_tries() {
    // All conditions of so many registers would take 100 gigabytes.
    check_few(&program(10_000, A_CONDITION), 100);
    check_few(&program(10_000, &A_CONDITION.replace("mark[N] = B", "?")), 100);
}

#[test]
fn very_many_holes() {
    let holes = "where symbol[N] == A: mark[N] = ?\n".repeat(100_000);
    check_few(&program(0, &holes), 2);
}

#[test]
fn very_many_holes_of_one_list() {
    let text = format!("where symbol[N] in [{}]: mark[N] = ?", vec!["?"; 50_000].join(", "));
    let program = program(0, &text);
    assert_eq!(filled(&program, &[], &Few(AtomicUsize::new(2))).err(), None);
}

#[test]
fn the_candidates_of_a_hole_among_many_registers() {
    let parts = |registers: usize| {
        let file = program(registers, A_CONDITION);
        let hole = holes(&file.checked().tree).into_iter().next().expect("a hole");
        candidates(file.checked(), hole)
    };
    let [few, many] = [parts(2), parts(10_000)];
    assert!(!few.cut_off);
    assert!(many.cut_off);
    assert_eq!(many.parts.len(), 10_000);
    assert_eq!(few.parts.iter().take(4).collect::<Vec<_>>(), many.parts.iter().take(4).collect::<Vec<_>>());
}

//! Repairs of failing programs.

#![allow(clippy::expect_used)]

mod common;

use std::{
    iter,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize},
    },
};

use common::{Few, registers};
use psl_program::Runner;
use psl_search::{Example, Judge, OneThread, Repair, Repairs, Workers, repair};
use psl_syntax::{Checked, read};

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm', seen: 'e'}
constants: {A, B, C, END: '.'}
system: {symbol: symbol, position: position, output: mark}
";

/// Searches with one thread for repairs of a program, after declarations and these tests.
fn repairs(tests: &str, productions: &str, workers: &dyn Workers) -> Repairs {
    repairs_of(&read(format!("{HEAD}{tests}\n{productions}")), workers)
}

fn repairs_of(checked: &Checked, workers: &dyn Workers) -> Repairs {
    assert!(checked.compiles(), "{:?}", checked.diagnostics);
    let program = &checked.analysis.program;
    let runner = Runner::new(program);
    let examples = Example::of_tests(program);
    let judge = Judge::new(checked, &runner, &examples, &Arc::new(AtomicBool::new(false))).expect("its tests");
    repair(&judge, None, &runner, &examples, workers)
}

/// All repairs, also those that do the same as another one.
fn with_same(found: &[Repair]) -> impl Iterator<Item = &Repair> {
    found.iter().flat_map(|one| iter::once(one).chain(&one.same))
}

/// Checks that the best repair says `expected`.
fn check(tests: &str, productions: &str, expected: &str) {
    let repairs = repairs(tests, productions, &OneThread);
    let best = repairs.found.first().map(|repair| {
        let description: Vec<&str> = repair.changes.iter().map(|change| change.description.as_str()).collect();
        description.join("; ")
    });
    assert_eq!(best.as_deref(), Some(expected), "{} found, {} tried", repairs.found.len(), repairs.tried);
}

const A_TO_B: &str = "
//@ max-new 1
//@ test \"C A\" => \"B\"
//@ test \"A B\" => \"C\"
//@ test \"B C\" => \".\"";

#[test]
fn a_constant() {
    check(
        A_TO_B,
        "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = A
         where symbol[N] == C: mark[N] = END",
        "Replace `A` with `C`",
    );
}

#[test]
fn a_condition() {
    check(
        A_TO_B,
        "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = C
         where position[N] == position[N]: mark[N] = END",
        "Add the condition `symbol[N] == C`",
    );
}

#[test]
fn an_assignment() {
    check(
        A_TO_B,
        "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = C seen[N] = A
         where symbol[N] == C: seen[N] = A",
        "Add the assignment `mark[N] = END`",
    );
}

#[test]
fn a_production() {
    check(
        A_TO_B,
        "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = C",
        "Add the production `where symbol[N] == C: mark[N] = END`",
    );
}

#[test]
fn the_order() {
    check(
        "
//@ max-new 1
//@ test \"C A\" => \"B\"
//@ test \"A B\" => \"B\"
//@ test \"B C\" => \".\"",
        "where symbol[N] == C: mark[N] = END
         where position[N] == position[N]: mark[N] = B",
        "Swap the productions `where symbol[N] == C` and `where position[N] == position[N]`",
    );
}

#[test]
fn the_end_of_a_block() {
    let productions = "where symbol[N] == A: mark[N] = A
        repeat:
            where mark[N] == B: mark[N] = C
            where mark[N] == A: mark[N] = B
        until # why
            NO_CHANGE";
    let repairs = repairs("//@ max-new 1\n//@ test \"A\" => \"B\"", productions, &OneThread);
    let mut changes = with_same(&repairs.found).flat_map(|repair| &repair.changes);
    let until = changes.find(|change| change.description == "Repeat until `mark[N] == B`").expect("that change");
    let program = format!("{HEAD}//@ max-new 1\n//@ test \"A\" => \"B\"\n{productions}");
    let after = until.apply(&program).expect("edits of the program");
    assert!(after.ends_with("until mark[N] == B # why\n"), "{after}");
}

#[test]
fn two_constants() {
    check(
        A_TO_B,
        "where symbol[N] == A: mark[N] = END
         where symbol[N] == B: mark[N] = C
         where symbol[N] == C: mark[N] = B",
        "Replace `END` with `B`; Replace `B` with `END`",
    );
}

#[test]
fn two_constants_that_the_program_uses_otherwise() {
    check(
        "
//@ max-new 1
//@ test \"C A\" => \"B\"
//@ test \"A B\" => \"C\"
//@ test \"C B\" => \"C\"
//@ test \"B A\" => \"B\"",
        "where symbol[N] == A: mark[N] = C
         where symbol[N] == B: mark[N] = A",
        "Replace `C` with `B`; Replace `A` with `C`",
    );
}

#[test]
fn what_uses_a_name_that_nothing_else_uses_comes_last() {
    let head = HEAD.replace("END: '.'", "END: '.', OTHER");
    let productions = "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = C
         where symbol[N] == C: mark[N] = END
         where symbol[N] == C: mark[N] = A";
    let found = repairs_of(&read(format!("{head}{A_TO_B}\n{productions}")), &OneThread).found;
    let all: Vec<&str> =
        with_same(&found).flat_map(|repair| &repair.changes).map(|it| it.description.as_str()).collect();
    let place = |description| all.iter().position(|it| *it == description).expect("that repair");
    assert!(place("Replace `C` with `OTHER`") > place("Leave out the production `where symbol[N] == C`"), "{all:?}");
}

#[test]
fn the_only_use_of_a_name_is_replaced_before_anything_is_added() {
    let head = HEAD.replace("END: '.'", "END: '.', OTHER");
    let productions = "where symbol[N] == A: mark[N] = B
         where symbol[N] == OTHER: mark[N] = C
         where symbol[N] == C: mark[N] = END";
    let found = repairs_of(&read(format!("{head}{A_TO_B}\n{productions}")), &OneThread).found;
    assert_eq!(found[0].changes[0].description, "Replace `OTHER` with `B`");
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_found() {
    let productions = "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = A
         where symbol[N] == C: mark[N] = END";
    let all = repairs(A_TO_B, productions, &OneThread);
    assert!(!all.cut_off);
    let stopped = repairs(A_TO_B, productions, &Few(AtomicUsize::new(all.tried / 2)));
    assert!(stopped.cut_off);
    assert_eq!(stopped.tried, all.tried / 2);
    assert!(!stopped.found.is_empty());
    assert!(repairs(A_TO_B, productions, &Few(AtomicUsize::new(0))).found.is_empty());
}

#[test]
fn changed_programs_that_never_end_do_not_stop_the_search() {
    let productions = "where symbol[N] == A: mark[N] = A
        repeat:
            where mark[N] == A: mark[N] = B
            where mark[N] == B: mark[N] = C
        until NO_CHANGE";
    // One of the changes is `mark[N] = A` in the last production, which never ends.
    let repairs = repairs("//@ max-new 1\n//@ test \"A\" => \"B\"", productions, &OneThread);
    assert!(!repairs.cut_off);
    assert!(!repairs.found.is_empty());
}

#[test]
fn a_program_that_never_ends_is_repaired() {
    check(
        "//@ max-new 1\n//@ test \"A\" => \"C\"",
        "where symbol[N] == A: mark[N] = A
        repeat:
            where mark[N] == A: mark[N] = B
            where mark[N] == B: mark[N] = A
        until NO_CHANGE",
        "Replace `A` with `C`",
    );
}

#[test]
fn a_search_among_many_registers_makes_only_what_it_tries() {
    // All conditions and assignments of so many registers would take gigabytes.
    let registers = registers(10_000);
    let head = HEAD.replace("seen: 'e'", &format!("seen: 'e'{registers}"));
    let productions = "where symbol[N] == A: mark[N] = B
         where symbol[N] == B: mark[N] = A
         where symbol[N] == C: mark[N] = END";
    let checked = read(format!("{head}{A_TO_B}\n{productions}"));
    let program = &checked.analysis.program;
    let (runner, examples) = (Runner::new(program), Example::of_tests(program));
    let judge = Judge::new(&checked, &runner, &examples, &Arc::new(AtomicBool::new(false))).expect("its tests");
    let limit = 100;
    let found = repair(&judge, None, &runner, &examples, &Few(AtomicUsize::new(limit)));
    assert_eq!((found.tried, found.cut_off), (limit, true));
}

//! Runs with a changed register, and runs beside a second machine.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use psl_debug::{Debugger, Launch, Moved, Movement, StepPlace, scopes, stack};
use psl_program::{File, Progress, Prompt, StructuredPrompt};
use psl_runtime::{CellId, MachineKind};
use psl_syntax::program::RegisterId;

use super::{debugger, launched};
use crate::common::numbers::cell;

pub const SPREAD: &str = "//@ input MARK\n//@ max-new 3\nregisters: {symbol: 's', position: 'p', mark: 'm'}\n\
                      constants: {A, B}\nwatch: [mark]\n\
                      repeat:\n    where position[n] == position[N]@pos_decrement and mark[n] != B:\n        \
                      mark[N] = mark[n]\nuntil NO_CHANGE\n\
                      where mark[N] == A:\n    symbol[N] = mark[N]\n";

/// The place, stack and scopes at each moment of a run.
pub fn seen(debugger: &mut Debugger) -> Vec<String> {
    let mut seen = Vec::new();
    loop {
        let names: Vec<String> = stack(debugger).into_iter().map(|frame| frame.name).collect();
        seen.push(
            format!("{names:?} {:?}", scopes(debugger))
                .replace(" (changed run)", "")
                .replace(" of the changed run", ""),
        );
        if debugger.move_by(Movement::In, &Progress::default()) != Moved::Yes {
            return seen;
        }
    }
}

#[test]
fn a_change_at_the_start_is_another_prompt() {
    let prompt = |marks: [&str; 3]| {
        let cell = |mark: &str| {
            if mark == "∅" {
                r#"{"symbol": "x"}"#.to_owned()
            } else {
                format!(r#"{{"symbol": "x", "mark": "{mark}"}}"#)
            }
        };
        let cells = StructuredPrompt::parse(&format!("[{}]", marks.map(cell).join(", ")));
        Prompt::Structured(cells.expect("a prompt"))
    };
    for cell in CellId::first(3) {
        for value in ["A", "B", "new", "∅"] {
            let start = ["A", "∅", "B"];
            let mut other = start;
            other[cell.index()] = value;
            let mut changed = launched(SPREAD, prompt(start));
            changed.change(RegisterId(2), cell, value, &Progress::default()).expect("a change");
            assert!(changed.is_changed());
            assert_eq!(seen(&mut changed), seen(&mut launched(SPREAD, prompt(other))), "{value} in cell {cell}");
        }
    }
}

#[test]
fn moments_before_a_change_stay_the_same() {
    let movements = [Movement::Next, Movement::Next, Movement::In];
    let mut changed = debugger(SPREAD, "A A");
    let before: Vec<String> = {
        let mut seen = seen(&mut debugger(SPREAD, "A A"));
        seen.truncate(4);
        seen
    };
    for movement in movements {
        assert_eq!(changed.move_by(movement, &Progress::default()), Moved::Yes);
    }
    let moment = changed.moment();
    assert_eq!(changed.change_named("mark[N]", "A", &Progress::default()).as_deref(), Ok("A"));
    assert_eq!(changed.moment(), moment);
    assert_eq!(changed.change_named("mark[N]", "∅", &Progress::default()).as_deref(), Ok("∅"));
    assert_eq!(changed.changes(), 2);
    changed.go_to(changed.timeline().start());
    assert_eq!(seen(&mut changed)[..4], before);
}

#[test]
fn a_changed_run_says_so() {
    let mut debugger = debugger(SPREAD, "A A");
    debugger.change_named("mark[2]", "A", &Progress::default()).expect("a change");
    assert_eq!(stack(&debugger).last().map(|frame| frame.name.clone()), Some("prompt (changed run)".to_owned()));
    assert_eq!(
        scopes(&debugger).last().map(|scope| scope.name.clone()),
        Some("continuation of the changed run".to_owned())
    );
}

#[test]
fn a_change_that_cannot_be_made_says_why() {
    let check = |movements: &[Movement], name: &str, value: &str, expected: &str| {
        let mut debugger = debugger(SPREAD, "A A");
        for &movement in movements {
            debugger.move_by(movement, &Progress::default());
        }
        let before = debugger.symbols();
        let error = debugger.change_named(name, value, &Progress::default()).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!debugger.is_changed());
        assert_eq!(debugger.symbols(), before);
    };
    check(&[], "mark[7]", "A", "cell 7");
    check(&[], "mark[N]", "A B", "several words");
    check(&[], "mark", "A", "expected a register of a cell");
    check(&[], "none[1]", "A", "none");
    check(&[Movement::Out, Movement::Next], "mark[2]", "A", "go to step 0");
    check(&[Movement::Out], "mark[2]", "A", "before a layer");
    let mut debugger = debugger(SPREAD, "A A");
    let error = debugger.change(RegisterId(3), cell(1), "A", &Progress::default()).expect_err("an error");
    assert!(error.to_string().contains("there is no register 3"));
    let cancelled = Progress::default();
    cancelled.cancelled.store(true, Ordering::Relaxed);
    let error = debugger.change(RegisterId(2), cell(1), "A", &cancelled).expect_err("an error");
    assert!(error.to_string().contains("cancelled"));
    assert!(!debugger.is_changed());
}

/// A debugger with a second machine.
fn verified(machine: MachineKind) -> Debugger {
    let prompt = Prompt::Plain("A A".to_owned());
    let launch = Launch { prompt, case: None, machine, max_passes: None, verify: true, ablated: BTreeSet::new() };
    Debugger::new(Arc::new(File::new(SPREAD, Arc::default())), &launch, &Progress::default()).expect("a run")
}

#[test]
fn a_second_machine_is_at_the_same_moment() {
    for machine in MachineKind::ALL {
        let mut debugger = verified(machine);
        assert_eq!(debugger.disagreement(), None);
        while debugger.place() != StepPlace::End {
            let second = debugger.second().expect("a second machine");
            assert!(second.machine() != machine && second.second().is_none());
            assert_eq!((stack(second), scopes(second)), (stack(&debugger), scopes(&debugger)));
            debugger.move_by(Movement::In, &Progress::default());
        }
    }
}

#[test]
fn a_changed_run_has_one_machine() {
    let mut debugger = verified(MachineKind::Dat);
    debugger.change_named("mark[1]", "B", &Progress::default()).expect("a change");
    assert!(debugger.second().is_none());
    assert_eq!(debugger.machine(), MachineKind::Psm);
}

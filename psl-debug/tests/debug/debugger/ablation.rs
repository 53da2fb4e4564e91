//! Runs without some layers.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use psl_debug::{Debugger, Effect, Launch, Moved, Movement, StepPlace, scopes, stack};
use psl_program::{File, Progress, Prompt};
use psl_runtime::MachineKind;
use psl_syntax::program::ProductionId;

use super::{
    debugger,
    forks::{SPREAD, seen},
};
use crate::common::numbers::{cell, layer};

/// A debugger of a run that was launched without some layers.
fn launched_without(layers: &[usize], verify: bool) -> Debugger {
    let (prompt, machine) = (Prompt::Plain("A A B".to_owned()), MachineKind::Psm);
    let launch = Launch { prompt, case: None, machine, max_passes: None, verify, ablated: by_numbers(layers) };
    Debugger::new(Arc::new(File::new(SPREAD, Arc::default())), &launch, &Progress::default()).expect("a run")
}

fn ablate(debugger: &mut Debugger, layers: &[usize]) -> Effect {
    debugger.ablate(by_numbers(layers), &Progress::default()).expect("a run")
}

fn by_numbers(layers: &[usize]) -> BTreeSet<ProductionId> {
    layers.iter().map(|&number| layer(number)).collect()
}

fn restart(debugger: &mut Debugger) {
    debugger.go_to(debugger.timeline().start());
}

#[test]
fn an_ablation_anywhere_is_one_from_the_start() {
    let changed = || {
        let mut debugger = debugger(SPREAD, "A A B");
        debugger.change_named("mark[1]", "A", &Progress::default()).expect("a change");
        debugger
    };
    for layers in [&[1][..], &[2], &[1, 2], &[]] {
        let (whole, mut expected) = (seen(&mut changed()), changed());
        ablate(&mut expected, layers);
        let expected = seen(&mut expected);
        let mut moving = changed();
        loop {
            let place = moving.place();
            let mut debugger = changed();
            debugger.go_to(moving.moment());
            let effect = ablate(&mut debugger, layers);
            assert_eq!(effect.has_moved, debugger.place() != place);
            assert!(!effect.has_moved || layers.contains(&1), "{layers:?}: {place:?}");
            restart(&mut debugger);
            assert_eq!(seen(&mut debugger), expected, "{layers:?} at {place:?}");
            ablate(&mut debugger, &[]);
            restart(&mut debugger);
            assert_eq!(seen(&mut debugger), whole);
            if moving.move_by(Movement::In, &Progress::default()) != Moved::Yes {
                break;
            }
        }
    }
}

#[test]
fn a_place_that_the_run_lacks_becomes_the_next_layer() {
    let mut debugger = debugger(SPREAD, "A A B");
    debugger.change_named("mark[1]", "A", &Progress::default()).expect("a change");
    while !matches!(debugger.place(), StepPlace::Until { ref pass, .. } if *pass == [2]) {
        assert_eq!(debugger.move_by(Movement::In, &Progress::default()), Moved::Yes);
    }
    assert!(ablate(&mut debugger, &[1]).has_moved);
    assert!(matches!(debugger.place(), StepPlace::Layer(row) if row.layer.number() == 2), "{:?}", debugger.place());
    debugger.go_to(debugger.timeline().end());
    assert!(!ablate(&mut debugger, &[]).has_moved);
    assert_eq!(debugger.place(), StepPlace::End);
}

#[test]
fn an_effect_names_the_continuations_and_the_cells() {
    let mut debugger = debugger(SPREAD, "A A B");
    debugger.change_named("mark[1]", "A", &Progress::default()).expect("a change");
    let [spread, own, none] = ["A A A …", "B B B …", "B B B …"].map(|text| Ok(text.to_owned()));
    let effect = ablate(&mut debugger, &[1]);
    assert_eq!((effect.before, effect.after), (spread, own.clone()));
    let effect = ablate(&mut debugger, &[1, 2]);
    assert_eq!((effect.before, effect.after, effect.cells), (own, none.clone(), vec![]));
    let effect = ablate(&mut debugger, &[2]);
    assert_eq!((effect.before, effect.after, effect.cells), (none.clone(), none, [2, 3, 4, 5].map(cell).to_vec()));
}

#[test]
fn a_launch_without_layers_is_restored_by_a_restart() {
    let mut whole = launched_without(&[], false);
    let mut without = launched_without(&[1], false);
    assert_eq!(without.what_if().as_deref(), Some("run without layer 1"));
    ablate(&mut whole, &[1]);
    let expected = seen(&mut without);
    assert_eq!(seen(&mut whole), expected);
    whole.restart(&Progress::default());
    assert_eq!((whole.what_if(), whole.ablated().len()), (None, 0));
    ablate(&mut without, &[]);
    without.restart(&Progress::default());
    assert_eq!((seen(&mut without), without.ablated()), (expected, &by_numbers(&[1])));
}

#[test]
fn a_second_machine_has_the_same_layers() {
    let mut debugger = launched_without(&[], true);
    ablate(&mut debugger, &[1]);
    assert_eq!(debugger.disagreement(), None);
    while debugger.place() != StepPlace::End {
        let second = debugger.second().expect("a second machine");
        assert_eq!((stack(second), scopes(second)), (stack(&debugger), scopes(&debugger)));
        debugger.move_by(Movement::In, &Progress::default());
    }
}

#[test]
fn runs_are_named_by_their_changes() {
    let mut debugger = debugger(SPREAD, "A A");
    let mut check = |layers: &[usize], expected: &str| {
        ablate(&mut debugger, layers);
        assert_eq!(debugger.what_if().as_deref(), Some(expected));
    };
    check(&[2], "run without layer 2");
    check(&[1, 2], "run without layers 1-2");
    check(&[2, 5, 6, 7], "run without layers 2 and 5-7");
    ablate(&mut debugger, &[1, 4, 7]);
    debugger.change_named("mark[1]", "A", &Progress::default()).expect("a change");
    assert_eq!(debugger.what_if().as_deref(), Some("changed run without layers 1, 4 and 7"));
    ablate(&mut debugger, &[]);
    assert_eq!(debugger.what_if().as_deref(), Some("changed run"));
}

#[test]
fn an_ablation_that_is_cancelled_changes_nothing() {
    let mut debugger = launched_without(&[], true);
    let cancelled = Progress::default();
    cancelled.cancelled.store(true, Ordering::Relaxed);
    let error = debugger.ablate(by_numbers(&[1]), &cancelled).expect_err("an error");
    assert!(error.to_string().contains("cancelled: nothing has changed"), "{error}");
    assert_eq!(debugger.what_if(), None);
    assert_eq!(seen(&mut debugger), seen(&mut launched_without(&[], true)));
}

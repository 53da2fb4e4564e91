//! The first moment at which two machines disagree.

use psl_program::Continuation;
use psl_runtime::record::{DifferenceKind, RecordedRun, UpdateDifference, first_difference};

use super::timeline::{Moment, Timeline};

/// The first moment of `run` at which `other`, the same run on another machine, has another layer, attends or writes
/// differently, or ends differently.
pub(super) fn disagreement(run: &RecordedRun, other: &RecordedRun) -> Option<Moment> {
    let timeline = Timeline::new(run);
    // Cut records and cancelled runs may end at different places.
    let are_whole = !run.is_cut() && !other.is_cut();
    match first_difference(run, other).update {
        Some(UpdateDifference { kind: DifferenceKind::Missing, .. }) if !are_whole => None,
        Some(UpdateDifference { rows: [Some(row), _], cell, .. }) => timeline.at_row(row, cell),
        Some(UpdateDifference { cell, .. }) => {
            Some(timeline.at_symbol(run.step_of(cell)).unwrap_or_else(|| timeline.end()))
        }
        None if are_whole && ends(run) != ends(other) => Some(timeline.end()),
        None => None,
    }
}

/// The continuation, or `None` if the run failed.
fn ends(run: &RecordedRun) -> Option<String> {
    run.outcome().as_ref().ok().map(Continuation::shown)
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use psl_program::Progress;
    use psl_runtime::MachineKind;
    use serde_json::{Value, json};

    use super::*;
    use psl_runtime::record::Row;

    use crate::{fixture::file, step_place::StepPlace};

    const FIRST: &str = "where symbol[N] == A:\n    mark[N] = A\n";

    fn record(rest: &str, most: usize) -> RecordedRun {
        let start = "//@ max-new 2\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n";
        record_of(&format!("{start}{rest}"), "A B A", most)
    }

    fn record_of(program: &str, prompt: &str, most: usize) -> RecordedRun {
        let file = file(program);
        let runner = file.runner().expect("a program that compiles");
        let task = runner.task(prompt).expect("a task");
        runner.record_within(most, task, MachineKind::Psm, &[], &Progress::default())
    }

    /// Another program simulates a wrong machine.
    fn check(left: &str, right: &str, expected: Option<(usize, usize, &str)>) {
        let (run, other) = (record(left, usize::MAX), record(right, usize::MAX));
        let found = disagreement(&run, &other).map(|moment| {
            let place = match Timeline::new(&run).place(moment) {
                StepPlace::Layer(row) => format!("layer {}", row.layer),
                place => format!("{place:?}"),
            };
            (moment.step, moment.cell.number(), place)
        });
        assert_eq!(found, expected.map(|(step, cell, place)| (step, cell, place.to_owned())), "{left} / {right}");
    }

    #[test]
    fn the_first_update_that_differs_is_the_moment() {
        let write = |from, to| format!("{FIRST}where symbol[N] == {from}:\n    mark[N] = {to}\n");
        check(FIRST, FIRST, None);
        check(&write("B", "A"), &write("B", "B"), Some((0, 2, "layer 2")));
        check(&write("A", "A"), &write("B", "A"), Some((0, 1, "layer 2")));
        check(&write("B", "B"), FIRST, Some((0, 1, "layer 2")));
        check(FIRST, &write("B", "B"), Some((0, 3, "Symbol")));
    }

    #[test]
    fn a_record_that_is_cut_says_nothing_of_what_follows() {
        let (run, cut) = (record(FIRST, usize::MAX), record(FIRST, 10));
        assert!(cut.is_cut());
        assert_eq!((disagreement(&run, &cut), disagreement(&cut, &run)), (None, None));
    }

    /// `DISAGREEMENTS=FILE` reads other pairs than those of the repository.
    #[test]
    fn the_moment_is_that_of_an_independent_machine() {
        let known = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/interop/disagreements.jsonl");
        let pairs = fs::read_to_string(env::var("DISAGREEMENTS").unwrap_or_else(|_| known.to_owned())).expect("pairs");
        for pair in pairs.lines() {
            let pair: Value = serde_json::from_str(pair).expect("JSON");
            let text = |name: &str| pair[name].as_str().expect("a text");
            let [left, right] = ["left", "right"].map(|name| record_of(text(name), text("prompt"), usize::MAX));
            let moment = disagreement(&left, &right).map(|moment| match Timeline::new(&left).place(moment) {
                StepPlace::Layer(Row { layer, pass }) => {
                    json!([moment.step, moment.cell.number(), format!("layer {layer} {pass:?}")])
                }
                StepPlace::End => json!([null, moment.cell.number(), "End"]),
                place => json!([moment.step, moment.cell.number(), format!("{place:?}")]),
            });
            assert_eq!(moment.unwrap_or_default(), pair["moment"], "{pair}");
        }
        assert!(pairs.lines().count() > 0);
    }
}

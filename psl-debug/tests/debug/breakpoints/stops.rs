//! Data breakpoints, layers and hit counts.

use std::sync::atomic::AtomicBool;

use psl_debug::{BreakOn, Breakpoint, DebugCondition, Direction, HitCount, LogMessage, Search, Timeline, Values};
use psl_runtime::CellId;
use psl_syntax::program::RegisterId;

use super::{
    Case, Stop, breakpoint, cases, everywhere, search, stop_of,
    words::{PROGRAM, record},
};
use crate::common::numbers::{cell, layer};

/// The writes of a register of a cell in the trace, with the value before and after, by their texts.
fn writes(case: &Case, register: RegisterId, cell: CellId) -> Vec<(Stop, Option<&str>, Option<&str>)> {
    let text = |value: Option<_>| value.and_then(|value| case.task.vocabulary.text(value));
    let mut before = case.trace.starts[cell][register.index()];
    let mut writes = Vec::new();
    for update in case.trace.of_cell(cell) {
        if let Some((_, value)) = update.set.iter().find(|(set, _)| *set == register) {
            writes.push((stop_of(update), text(before), text(Some(*value))));
        }
        before = update.state[register.index()];
    }
    writes
}

#[test]
fn data_breakpoints_stop_at_exactly_the_changes_that_the_trace_has() {
    let (mut changing, mut same) = (0, 0);
    for case in cases() {
        for id in CellId::first(case.run.cells()) {
            for register in case.executable.registers.ids() {
                let writes = writes(&case, register, id);
                let check = |write, value: Option<&str>| {
                    let counts = |before: Option<&str>, after: Option<&str>| {
                        (write || before != after) && value.is_none_or(|value| after == Some(value))
                    };
                    let expected = writes.iter().filter(|(_, before, after)| counts(*before, *after));
                    let expected: Vec<Stop> = expected.map(|(stop, ..)| stop.clone()).collect();
                    let values = value.map(|value| Values::Only(value.to_owned()));
                    let on = BreakOn::Data { register, cell: Some(id), write, values };
                    assert_eq!(case.stops(&breakpoint(on), cell(1)), expected, "{}, {register:?} of {id}", case.place);
                    expected.len()
                };
                let found = check(false, None);
                changing += found;
                same += check(true, None) - found;
                for value in [writes.first().and_then(|(_, _, after)| *after), Some("no such value")] {
                    check(true, value);
                    check(false, value);
                }
            }
        }
    }
    assert!(changing > 100 && same > 100, "{changing} changes, {same} writes of the same value");
}

#[test]
fn data_breakpoints_on_all_cells_stop_at_the_changes_of_each_in_order() {
    let mut several = 0;
    for case in cases().step_by(6) {
        for register in case.executable.registers.ids() {
            let writes: Vec<_> =
                CellId::first(case.run.cells()).flat_map(|cell| writes(&case, register, cell)).collect();
            let check = |values: Option<Values>, counts: &dyn Fn(Option<&str>) -> bool| {
                let changes = writes.iter().filter(|(_, before, after)| before != after && counts(*after));
                let changes: Vec<&Stop> = changes.map(|(stop, ..)| stop).collect();
                let expected: Vec<Stop> =
                    case.trace.updates.iter().map(stop_of).filter(|stop| changes.contains(&stop)).collect();
                let on = BreakOn::Data { register, cell: None, write: false, values };
                assert_eq!(case.stops(&breakpoint(on), cell(1)), expected, "{}, {register:?}", case.place);
                expected.len()
            };
            several += usize::from(check(None, &|_| true) > 1);
            for value in writes.iter().filter_map(|(_, _, after)| *after).take(2) {
                let all = check(None, &|_| true);
                let only = check(Some(Values::Only(value.to_owned())), &|after| after == Some(value));
                assert_eq!(check(Some(Values::Except(value.to_owned())), &|after| after != Some(value)), all - only);
            }
        }
    }
    assert!(several > 5, "{several} registers with several changes");
}

#[test]
fn a_layer_stops_once_a_row_at_the_focus_cell_or_the_first() {
    for case in cases() {
        for layer in case.program().productions().ids() {
            for focus in [cell(1), cell(3), case.run.last_cell()] {
                let first = |step: usize| cell(if step == 0 { 1 } else { case.run.prompt_cells() + step });
                let is_focus = |(step, _, cell): &Stop| {
                    let is_in_step =
                        if *step == 0 { focus.number() <= case.run.prompt_cells() } else { focus == first(*step) };
                    *cell == if is_in_step { focus } else { first(*step) }
                };
                let updates = case.trace.updates.iter().filter(|update| update.layer == layer);
                let expected: Vec<Stop> = updates.map(stop_of).filter(is_focus).collect();
                let found = case.stops(&breakpoint(everywhere(layer)), focus);
                assert_eq!(found, expected, "{}, layer {layer}, focus {focus}", case.place);
            }
        }
    }
}

#[test]
fn a_layer_that_stops_where_it_fires_skips_cells_that_attend_to_none() {
    let (mut at_focus, mut elsewhere) = (0, 0);
    for case in cases() {
        for layer in case.program().productions().ids() {
            let focus = cell(2);
            let firing = case.trace.updates.iter().filter(|it| it.layer == layer && it.attends.is_some()).map(stop_of);
            let firing: Vec<Stop> = firing.collect();
            let rows = firing.chunk_by(|(step, row, _), (other_step, other, _)| (step, row) == (other_step, other));
            let alone =
                rows.filter_map(|stops| stops.iter().find(|(.., cell)| *cell == focus).or(stops.first()).cloned());
            let alone: Vec<Stop> = alone.collect();
            let on = || BreakOn::Layer { layer, everywhere: false };
            assert_eq!(case.stops(&breakpoint(on()), focus), alone, "{}, layer {layer}", case.place);
            let condition = DebugCondition::parse(&case.file(), "cell != 0").ok();
            let each = case.stops(&Breakpoint { condition, ..breakpoint(on()) }, focus);
            assert_eq!(each, firing, "{}, layer {layer}", case.place);
            at_focus += alone.iter().filter(|(.., cell)| *cell == focus).count();
            elsewhere += alone.iter().filter(|(.., cell)| *cell != focus).count();
        }
    }
    assert!(at_focus > 100 && elsewhere > 100, "{at_focus} stops at the focus cell, {elsewhere} elsewhere");
}

#[test]
fn hits_have_the_same_numbers_in_both_directions() {
    for case in cases() {
        for layer in case.program().productions().ids() {
            let plain = breakpoint(everywhere(layer));
            let all = case.stops(&plain, cell(2));
            let check = |hits: HitCount, counts: fn(usize) -> bool| {
                let expected: Vec<Stop> =
                    all.iter().zip(1..).filter(|(_, hit)| counts(*hit)).map(|(stop, _)| stop.clone()).collect();
                let found = case.stops(&Breakpoint { hits: Some(hits), ..plain.clone() }, cell(2));
                assert_eq!(found, expected, "{}, layer {layer}, {hits:?}", case.place);
            };
            check(HitCount::Exactly(2), |hit| hit == 2);
            check(HitCount::AtLeast(3), |hit| hit >= 3);
            check(HitCount::MultipleOf(3), |hit| hit % 3 == 0);
        }
    }
}

#[test]
fn several_breakpoints_stop_at_the_nearest_and_name_all_that_stop_there() {
    let cancelled = AtomicBool::new(false);
    let case = Case::new(1);
    let on = |id, number| Breakpoint { id, ..breakpoint(everywhere(layer(number))) };
    let breakpoints = [on(1, 3), on(2, 2), on(3, 2)];
    let search = case.search(&breakpoints, cell(1), &cancelled);
    let timeline = Timeline::new(&case.run);
    let hit = search.next_stop(Some(timeline.start()), Direction::Forward).stop.expect("a stop");
    assert_eq!(hit.ids, [2, 3]);
    let next = search.next_stop(Some(hit.moment), Direction::Forward).stop.expect("a stop");
    assert_eq!(next.ids, [1]);
    let back = search.next_stop(Some(next.moment), Direction::Backward).stop;
    assert_eq!(back, Some(hit));
}

#[test]
fn a_log_lists_the_passed_hits_up_to_the_stop() {
    let cancelled = AtomicBool::new(false);
    let (file, run) = record(PROGRAM, "A B");
    let log = LogMessage::parse(&file, "{cell}: {symbol[N]} {before[2]} {symbol[3]}").expect("a message");
    let on = |number| breakpoint(everywhere(layer(number)));
    let breakpoints = [Breakpoint { log: Some(log), ..on(2) }, on(3)];
    let program = file.program();
    let search = search(program, &run, &breakpoints, cell(2), &cancelled);
    let timeline = Timeline::new(&run);
    let line = "2: B A (cell 3 does not exist yet: at this moment, the last cell is 2)";
    let forward = search.next_stop(Some(timeline.start()), Direction::Forward);
    assert_eq!(forward.logs, [line]);
    let stop = forward.stop.expect("a stop").moment;
    let beyond = search.next_stop(Some(stop), Direction::Forward);
    assert_eq!((beyond.stop, beyond.logs), (None, Vec::new()));
    let backward = search.next_stop(Some(timeline.end()), Direction::Backward);
    assert_eq!((backward.stop.map(|hit| hit.moment), backward.logs), (Some(stop), Vec::new()));
    let backward = search.next_stop(Some(stop), Direction::Backward);
    assert_eq!((backward.stop, backward.logs), (None, vec![line.to_owned()]));
}

#[test]
fn a_cancelled_search_says_so() {
    let case = Case::new(1);
    let breakpoints = [breakpoint(everywhere(layer(1)))];
    let found = case
        .search(&breakpoints, cell(1), &AtomicBool::new(true))
        .next_stop(Some(Timeline::new(&case.run).end()), Direction::Backward);
    assert_eq!(found, Search { cancelled: true, ..Search::default() });
}

//! Records of runs with a changed register, against the trace of the changed run.

use psl_runtime::{
    CellId, Change, ChangeTime, MachineKind, Trace, Update, ValueId,
    record::{
        Difference, DifferenceKind, LinkKind, RecordedRun, Row, RowId, Time, UpdateDifference, first_difference,
        history, matches, origin,
    },
    to_the_end,
};
use psl_syntax::{
    index::IndexVec,
    program::{ProductionId, RegisterId},
};

use super::{Case, enough, record, record_changed, seeds};
use crate::common::{
    full_trace::{FullTrace, key},
    numbers::{cell, layer},
    random::Random,
};

/// A random case with a change before or after one of its updates.
fn change(seed: u64) -> (Case, Change) {
    let mut case = Case::new(seed);
    // A change can make a block run until this limit.
    case.task.limits.max_passes = case.task.limits.max_passes.min(100);
    let mut random = Random::new(seed);
    let update = case.trace.updates[random.below(case.trace.updates.len() as u64) as usize].clone();
    let register = RegisterId(random.below(update.state.len() as u64) as u32);
    let value = match random.below(10) {
        0 => None,
        1 => Some(case.task.add_value("new")),
        _ => Some(ValueId(random.below(case.task.vocabulary.len() as u64) as u32)),
    };
    let at = if random.below(2) == 0 { ChangeTime::Before(update.layer) } else { ChangeTime::After(update.layer) };
    (case, Change { at, pass: Some(update.pass), cell: update.cell, register, value })
}

/// The layer of a change.
fn layer_of(change: &Change) -> ProductionId {
    match change.at {
        ChangeTime::Before(layer) | ChangeTime::After(layer) => layer,
        ChangeTime::Start => panic!("a change at a layer"),
    }
}

fn changed(case: &Case, changes: &[Change]) -> RecordedRun {
    record_changed(&case.executable, &case.task, changes)
}

#[test]
fn a_changed_record_has_the_trace_of_the_changed_run() {
    let mut differ = 0;
    for seed in seeds() {
        let (case, change) = change(seed);
        let place = format!("{}, {change:?}", case.place);
        let executable = &case.executable;
        let mut trace = Trace::default();
        let observer = |update: &Update| trace.updates.push(update.clone());
        let run = executable.run_changed(&case.task, std::slice::from_ref(&change), Some(&mut to_the_end(observer)));
        let run = run.map(|(run, _)| run);
        let trace = FullTrace::new(&case.task, &executable.registers, run, trace);
        let recorded = changed(&case, std::slice::from_ref(&change));
        let row_of = |layer, pass: &[usize]| {
            let row = recorded.rows().iter().position(|row| *row == Row { layer, pass: pass.to_vec() });
            RowId::new(row.expect("a row"))
        };
        let row_changed = row_of(layer_of(&change), change.pass.as_deref().expect("a pass"));
        assert_eq!(recorded.unreached(), [0_usize; 0], "{place}");
        let mut states = trace.starts.clone();
        for update in &trace.updates {
            let (row, cell) = (row_of(update.layer, &update.pass), update.cell);
            let state = &mut states[cell];
            let is_changed = cell == change.cell && row == row_changed;
            if is_changed {
                let is_before = matches!(change.at, ChangeTime::Before(_));
                let time = if is_before { Time::before(row) } else { Time::after(row) };
                if is_before {
                    state[change.register.index()] = change.value;
                }
                let of_register = |register| recorded.changed_at(register, cell, time);
                assert_eq!(of_register(change.register), Some(time), "{place}");
                assert_eq!((0..state.len()).map(RegisterId::new).filter_map(of_register).count(), 1, "{place}");
            }
            assert_eq!(recorded.state(cell, Time::before(row)), *state, "{place}, before {update:?}");
            state.clone_from(&update.state);
            if is_changed && matches!(change.at, ChangeTime::After(_)) {
                assert_eq!(recorded.state(cell, Time::after(row)), *state, "{place}, after {update:?}");
            }
            let found = recorded.update(row, cell).expect("an update");
            let mut set = update.set.clone();
            set.sort_unstable();
            assert_eq!((found.attends, found.set), (update.attends, set), "{place}, {update:?}");
            let winner = matches(&executable.program, &recorded, row, cell).expect("a layer").winner;
            assert_eq!(winner, update.attends, "{place}, {update:?}");
        }
        let last: IndexVec<CellId, _> =
            CellId::first(recorded.cells()).map(|cell| recorded.state(cell, recorded.end())).collect();
        assert_eq!(last, states, "{place}");
        let step = case.recorded.step_of(change.cell);
        let is_before = |it: &&Update| key(it) != (step, layer_of(&change), change.pass.as_deref().expect("a pass"));
        let before = case.trace.updates.iter().take_while(is_before).count();
        assert_eq!(trace.updates[..before], case.trace.updates[..before], "{place}");
        differ += usize::from(trace.updates != case.trace.updates);
    }
    enough(differ, 100, "changed traces");
}

#[test]
fn the_way_of_a_value_ends_at_its_change() {
    let mut reached = 0;
    for seed in seeds() {
        let (case, change) = change(seed);
        let recorded = changed(&case, std::slice::from_ref(&change));
        let program = &case.executable.program;
        for cell in CellId::first(recorded.cells()) {
            for register in program.register_ids() {
                let place = format!("{}, {change:?}, {register:?} of cell {cell}", case.place);
                let links = origin(program, &recorded, register, cell, recorded.end());
                for (link, next) in links.iter().zip(&links[1..]) {
                    assert!(link.kind == LinkKind::Moved || link.value == next.value, "{place}: {links:?}");
                }
                let last = links.last().expect("a link");
                if last.kind == LinkKind::Changed {
                    reached += 1;
                    let here = (last.register, last.cell, last.value);
                    assert_eq!(here, (change.register, change.cell, change.value), "{place}: {links:?}");
                    let row = Row { layer: layer_of(&change), pass: change.pass.clone().expect("a pass") };
                    let row = recorded.find(&row).expect("a row");
                    let next = Some(Time::after(row).row()).filter(|row| recorded.rows().find(*row).is_some());
                    assert_eq!(
                        last.row,
                        if change.at == ChangeTime::Before(layer_of(&change)) { Some(row) } else { next }
                    );
                }
                // A change is not a write: each write follows the value that the register then has.
                for write in history(&recorded, register, cell) {
                    assert_eq!(write.before, recorded.value(register, cell, Time::before(write.row)), "{place}");
                    assert_eq!(
                        Some(write.value),
                        recorded.update(write.row, cell).and_then(|update| {
                            update.set.iter().find(|(set, _)| *set == register).map(|(_, value)| *value)
                        }),
                        "{place}"
                    );
                }
            }
        }
    }
    enough(reached, 100, "values that come from a change");
}

#[test]
fn a_change_before_the_first_row_is_a_change_of_the_prompt() {
    for seed in seeds() {
        let (mut case, mut change) = change(seed);
        let first = &case.trace.updates[0];
        change = Change { at: ChangeTime::Before(first.layer), pass: Some(first.pass.clone()), ..change };
        if seed % 2 == 0 {
            change = Change { at: ChangeTime::Start, pass: None, ..change };
        }
        change.cell = change.cell.min(cell(case.trace.prompt_cells));
        let recorded = changed(&case, std::slice::from_ref(&change));
        case.task.input.cells[change.cell.index()][change.register.index()] = change.value;
        // Weights tell cells apart by their positions, which no prompt sets.
        let sets_position = Some(change.register) == case.executable.registers.roles.position;
        let machine = if sets_position { MachineKind::Psm } else { MachineKind::Qkvm };
        let expected = record(&case.executable, &case.task, machine);
        assert_eq!(first_difference(&recorded, &expected), Difference::default(), "{}, {change:?}", case.place);
        assert_eq!(recorded.outcome().is_ok(), expected.outcome().is_ok(), "{}, {change:?}", case.place);
        for time in (0..=recorded.rows().len()).map(Time::new) {
            for cell in CellId::first(recorded.cells()) {
                assert_eq!(recorded.state(cell, time), expected.state(cell, time), "{}, {change:?}", case.place);
            }
        }
    }
}

#[test]
fn a_changed_value_is_the_first_difference() {
    let mut found = 0;
    for seed in seeds() {
        let (case, change) = change(seed);
        // Endless passes are noticed later if one of them has a change.
        if case.recorded.outcome().is_err() {
            continue;
        }
        let change = Change { at: ChangeTime::After(layer_of(&change)), ..change };
        let recorded = changed(&case, std::slice::from_ref(&change));
        let row = Row { layer: layer_of(&change), pass: change.pass.clone().expect("a pass") };
        let rows = [&case.recorded, &recorded].map(|run| run.find(&row));
        let value = |run: &RecordedRun, row: Option<RowId>| {
            let value = run.value(change.register, change.cell, Time::after(row.expect("a row")))?;
            run.vocabulary().text(value).map(str::to_owned)
        };
        let is_other = value(&case.recorded, rows[0]) != value(&recorded, rows[1]);
        let first = first_difference(&case.recorded, &recorded);
        let expected = UpdateDifference { cell: change.cell, rows, kind: DifferenceKind::Writes };
        let expected = Difference { start: None, update: is_other.then_some(expected) };
        assert_eq!(first, expected, "{}, {change:?}", case.place);
        found += usize::from(is_other);
    }
    enough(found, 100, "changed values");
}

#[test]
fn the_last_change_of_a_register_at_a_row_counts_and_changes_out_of_reach_are_left_out() {
    let (case, change) = change(seeds().start);
    let no_cell = CellId::new(usize::MAX);
    let away = [
        Change { cell: case.recorded.last_cell().next(), ..change.clone() },
        Change { cell: no_cell, ..change.clone() },
        Change { at: ChangeTime::Before(layer(100)), ..change.clone() },
        Change { at: ChangeTime::After(layer(100)), ..change.clone() },
        Change { pass: Some(vec![1; 9]), ..change.clone() },
        Change { register: RegisterId(100), ..change.clone() },
    ];
    let unchanged = changed(&case, &away);
    assert_eq!(first_difference(&unchanged, &case.recorded).update, None);
    assert_eq!(unchanged.unreached(), (0..away.len()).collect::<Vec<_>>());
    let anywhere = |run: &RecordedRun| {
        let cells = CellId::first(run.cells() + 1).chain([no_cell]);
        let all = cells.flat_map(|cell| (0..=100).map(move |register| (cell, RegisterId(register))));
        all.filter(|&(cell, register)| run.changed_at(register, cell, case.recorded.end()).is_some()).count()
    };
    assert_eq!(anywhere(&unchanged), 0);
    let twice = changed(&case, &[Change { value: None, ..change.clone() }, change.clone()]);
    let row = twice.find(&Row { layer: layer_of(&change), pass: change.pass.clone().expect("a pass") });
    let row = row.expect("a row");
    let time = if matches!(change.at, ChangeTime::Before(_)) { Time::before(row) } else { Time::after(row) };
    assert_eq!(twice.value(change.register, change.cell, time), change.value);
}

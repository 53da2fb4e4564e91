//! Records of runs with a changed register, against the trace of the changed run.

use psl_runtime::{
    CellId, Change, MachineKind, Trace, Update, ValueId,
    record::{LinkKind, RecordedRun, Row, RowId, Time, first_difference, history, matches, origin},
    to_the_end,
};
use psl_syntax::{index::IndexVec, program::RegisterId};

use super::{Case, enough, record, record_changed, seeds};
use crate::common::{
    full_trace::{FullTrace, key},
    numbers::{cell, layer},
    random::Random,
};

/// A random case with a change before one of its updates.
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
    let (step, layer, cell) = (update.step, update.layer, update.cell);
    (case, Change { step, layer, pass: update.pass, cell, register, value })
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
        let trace = FullTrace::new(&case.task, &executable.registers, run, trace);
        let recorded = changed(&case, std::slice::from_ref(&change));
        let row_of = |layer, pass: &[usize]| {
            let row = recorded.rows().iter().position(|row| *row == Row { layer, pass: pass.to_vec() });
            RowId::new(row.expect("a row"))
        };
        let row_changed = row_of(change.layer, &change.pass);
        let mut states = trace.starts.clone();
        for update in &trace.updates {
            let (row, cell) = (row_of(update.layer, &update.pass), update.cell);
            let state = &mut states[cell];
            let is_changed = cell == change.cell && row == row_changed;
            if is_changed {
                state[change.register.index()] = change.value;
                let of_register = |register| recorded.changed_before(register, cell, Time::before(row));
                assert_eq!(of_register(change.register), Some(row), "{place}");
                assert_eq!((0..state.len()).map(RegisterId::new).filter_map(of_register).count(), 1, "{place}");
            }
            assert_eq!(recorded.state(cell, Time::before(row)), *state, "{place}, before {update:?}");
            state.clone_from(&update.state);
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
        let is_before = |it: &&Update| key(it) != (change.step, change.layer, &change.pass[..]);
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
                    let row = &recorded.rows()[last.row.expect("a row")];
                    assert_eq!((row.layer, &row.pass), (change.layer, &change.pass), "{place}");
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
        change = Change { step: 0, layer: first.layer, pass: first.pass.clone(), ..change };
        change.cell = change.cell.min(cell(case.trace.prompt_cells));
        let recorded = changed(&case, std::slice::from_ref(&change));
        case.task.input.cells[change.cell.index()][change.register.index()] = change.value;
        // Weights tell cells apart by their positions, which no prompt sets.
        let sets_position = Some(change.register) == case.executable.registers.roles.position;
        let machine = if sets_position { MachineKind::Psm } else { MachineKind::Qkvm };
        let expected = record(&case.executable, &case.task, machine);
        assert_eq!(first_difference(&recorded, &expected).update, None, "{}, {change:?}", case.place);
        assert_eq!(recorded.outcome().is_ok(), expected.outcome().is_ok(), "{}, {change:?}", case.place);
        for time in (0..=recorded.rows().len()).map(Time::new) {
            for cell in CellId::first(recorded.cells()) {
                assert_eq!(recorded.state(cell, time), expected.state(cell, time), "{}, {change:?}", case.place);
            }
        }
    }
}

#[test]
fn the_last_change_of_a_register_at_a_row_counts_and_changes_out_of_reach_are_left_out() {
    let (case, change) = change(seeds().start);
    let no_cell = CellId::new(usize::MAX);
    let away = [
        Change { step: change.step + 100, ..change.clone() },
        Change { cell: case.recorded.last_cell().next(), ..change.clone() },
        Change { cell: no_cell, ..change.clone() },
        Change { layer: layer(100), ..change.clone() },
        Change { register: RegisterId(100), ..change.clone() },
    ];
    let unchanged = changed(&case, &away);
    assert_eq!(first_difference(&unchanged, &case.recorded).update, None);
    let anywhere = |run: &RecordedRun| {
        let cells = CellId::first(run.cells() + 1).chain([no_cell]);
        let all = cells.flat_map(|cell| (0..=100).map(move |register| (cell, RegisterId(register))));
        all.filter(|&(cell, register)| run.changed_before(register, cell, case.recorded.end()).is_some()).count()
    };
    assert_eq!(anywhere(&unchanged), 0);
    let twice = changed(&case, &[Change { value: None, ..change.clone() }, change.clone()]);
    let row = twice.find(&Row { layer: change.layer, pass: change.pass.clone() });
    assert_eq!(twice.value(change.register, change.cell, Time::before(row.expect("a row"))), change.value);
}

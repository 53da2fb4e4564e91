//! The record itself.

use psl_runtime::record::{AllWrites, CellWrite};

use super::{Case, cases, enough};

#[test]
fn a_recorded_run_has_every_update_and_state_of_the_trace() {
    for case in cases() {
        let Case { place, recorded, trace, .. } = &case;
        assert_eq!(recorded.outcome().is_ok(), trace.run.is_ok(), "{place}");
        let starts: Vec<_> = (1..=recorded.cells()).map(|cell| recorded.state(cell, 0)).collect();
        assert_eq!(starts, trace.starts, "{place}");
        let mut last = vec![None; recorded.cells()];
        let mut states = starts;
        for update in &trace.updates {
            let (row, cell) = (case.row(update), update.cell);
            assert!(Some(row) > last[cell - 1], "{place}: the rows of cell {cell} are not in the order of computation");
            last[cell - 1] = Some(row);
            assert_eq!(recorded.state(cell, row), states[cell - 1], "{place}, before {update:?}");
            assert_eq!(recorded.state(cell, row + 1), *update.state, "{place}, after {update:?}");
            states[cell - 1].clone_from(&update.state);
            let recorded = recorded.update(row, cell).expect("an update");
            let mut set = update.set.clone();
            set.sort_unstable();
            assert_eq!((recorded.attends, recorded.set), (update.attends, set), "{place}, {update:?}");
        }
        let all = (0..recorded.rows().len()).flat_map(|row| (1..=recorded.cells()).map(move |cell| (row, cell)));
        let ran = all.filter(|&(row, cell)| recorded.has_row(row, cell));
        assert_eq!(ran.count(), trace.updates.len(), "{place}");
        let last: Vec<_> = (1..=recorded.cells()).map(|cell| recorded.state(cell, recorded.rows().len())).collect();
        assert_eq!(last, states, "{place}");
        if let Ok(run) = &trace.run {
            assert_eq!(last, run.states, "{place}");
        }
    }
}

#[test]
fn the_writes_of_a_row_are_those_of_its_updates() {
    for Case { place, recorded, .. } in cases() {
        let writes = AllWrites::new(&recorded);
        for row in 0..=recorded.rows().len() {
            let of_cell = |cell: usize| {
                let set = recorded.update(row, cell).map(|update| update.set).unwrap_or_default();
                set.into_iter().map(move |(register, value)| CellWrite { cell: cell as u32, register, value })
            };
            let expected: Vec<_> = (1..=recorded.cells()).flat_map(of_cell).collect();
            assert_eq!(writes.of_row(row), expected, "{place}, row {row}");
        }
    }
}

#[test]
fn cells_that_rest_and_runs_that_fail_are_among_the_cases() {
    let cases: Vec<Case> = cases().collect();
    let rest = cases.iter().filter(|case| case.rests()).count();
    let failed = cases.iter().filter(|case| case.recorded.outcome().is_err()).count();
    enough(rest, 100, "runs with cells at rest");
    enough(failed, 50, "runs that fail");
}

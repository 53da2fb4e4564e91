//! The record itself.

use psl_runtime::{
    CellId,
    record::{AllWrites, CellWrite, RowId, Time},
};
use psl_syntax::index::IndexVec;

use super::{Case, cases, enough};

#[test]
fn a_recorded_run_has_every_update_and_state_of_the_trace() {
    for case in cases() {
        let Case { place, recorded, trace, .. } = &case;
        assert_eq!(recorded.outcome().is_ok(), trace.run.is_ok(), "{place}");
        let cells = || CellId::first(recorded.cells());
        let starts: IndexVec<CellId, _> = cells().map(|cell| recorded.state(cell, Time::START)).collect();
        assert_eq!(starts, trace.starts, "{place}");
        let mut last = IndexVec::from(vec![None; recorded.cells()]);
        let mut states = starts;
        for update in &trace.updates {
            let (row, cell) = (case.row(update), update.cell);
            assert!(Some(row) > last[cell], "{place}: the rows of cell {cell} are not in the order of computation");
            last[cell] = Some(row);
            assert_eq!(recorded.state(cell, Time::before(row)), states[cell], "{place}, before {update:?}");
            assert_eq!(recorded.state(cell, Time::after(row)), *update.state, "{place}, after {update:?}");
            states[cell].clone_from(&update.state);
            let recorded = recorded.update(row, cell).expect("an update");
            let mut set = update.set.clone();
            set.sort_unstable();
            assert_eq!((recorded.attends, recorded.set), (update.attends, set), "{place}, {update:?}");
        }
        let all = recorded.rows().ids().flat_map(|row| cells().map(move |cell| (row, cell)));
        let ran = all.filter(|&(row, cell)| recorded.has_row(row, cell));
        assert_eq!(ran.count(), trace.updates.len(), "{place}");
        let last: IndexVec<CellId, _> = cells().map(|cell| recorded.state(cell, recorded.end())).collect();
        assert_eq!(last, states, "{place}");
        if let Ok(run) = &trace.run {
            assert_eq!(last.as_slice(), run.states, "{place}");
        }
    }
}

#[test]
fn the_writes_of_a_row_are_those_of_its_updates() {
    for Case { place, recorded, .. } in cases() {
        let writes = AllWrites::new(&recorded);
        for row in (0..=recorded.rows().len()).map(RowId::new) {
            let of_cell = |cell: CellId| {
                let set = recorded.update(row, cell).map(|update| update.set).unwrap_or_default();
                set.into_iter().map(move |(register, value)| CellWrite { cell, register, value })
            };
            let expected: Vec<_> = CellId::first(recorded.cells()).flat_map(of_cell).collect();
            assert_eq!(writes.of_row(row), expected, "{place}, {row:?}");
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

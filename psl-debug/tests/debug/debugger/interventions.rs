//! Interventions against the debugger's `set`: a value right after a layer is one set before the next layer of the
//! pass.

use std::sync::Arc;

use psl_program::{File, Intervention, Progress};
use psl_runtime::{
    MachineKind, RunFailure,
    record::{RecordedRun, RowId},
};

use super::debugger;
use crate::common::{
    random::Random,
    seeds::{enough, seeds},
};

const PARGEN: &str = include_str!("../../../../examples/pargen.psl");
const PROMPT: &str = "Q B V D E A B V D E . Q F G H V K L A";

#[test]
fn an_intervention_is_a_change_before_the_next_layer() {
    let file = File::new(PARGEN, Arc::default());
    let runner = file.runner().expect("a program");
    let task = runner.task(PROMPT).expect("a task");
    let base = runner.record(task.clone(), MachineKind::Psm, &Progress::default());
    let message = |failure: &RunFailure| failure.message.clone();
    let registers = &runner.executable().registers;
    let mut effective = 0;
    for seed in seeds() {
        let mut random = Random::new(seed);
        let mut below = |limit: usize| random.below(limit as u64) as usize;
        let (row, next) = loop {
            let row = RowId::new(below(base.rows().len()));
            // Between two passes, the block may end with or without the change.
            if let Some(next) = next_in_pass(&base, row) {
                break (&base.rows()[row], next);
            }
        };
        let cell = 1 + below(base.prompt_cells());
        let name = loop {
            let register = below(registers.len());
            if registers.roles.position.is_none_or(|position| position.index() != register) {
                break &registers.long[register];
            }
        };
        let value = ["B", "K", "XQ", "CQ", "D", "T", "1", "3", "∅", "new"][below(10)];
        let place = format!("seed {seed}: {name}[{cell}] = {value} after {row:?}");
        let mut debugger = debugger(PARGEN, PROMPT);
        debugger.go_to(debugger.timeline().at_row(next, crate::common::numbers::cell(cell)).expect("a moment"));
        debugger.change_named(&format!("{name}[{cell}]"), value, &Progress::default()).expect("a change");
        let intervention = Intervention {
            layer: Some(row.layer),
            pass: Some(row.pass.clone()),
            cell,
            register: name.clone(),
            value: Some(value.to_owned()),
        };
        let mut task = task.clone();
        let changes = runner.changes(&[intervention], &mut task).expect("a place");
        let (by_debugger, by_intervention) = (debugger.run().outcome(), runner.complete_changed(&task, &changes, None));
        let continuation = by_intervention.as_ref().map(|(continuation, _)| continuation);
        assert_eq!(by_debugger.as_ref().map_err(message), continuation.map_err(message), "{place}");
        effective += usize::from(by_debugger.as_ref().ok() != base.outcome().as_ref().ok());
    }
    enough(effective, 20, "changed continuations");
}

/// The next row of the prompt's pass, unless a pass ends or starts before it.
fn next_in_pass(run: &RecordedRun, row: RowId) -> Option<RowId> {
    let mut rows = run.rows_of_step(0).iter().copied().skip_while(|other| *other < row);
    rows.next().filter(|first| *first == row)?;
    let next = rows.next()?;
    let (row, next_row) = (&run.rows()[row], &run.rows()[next]);
    (row.pass == next_row.pass && run.blocks_around(row.layer) == run.blocks_around(next_row.layer)).then_some(next)
}

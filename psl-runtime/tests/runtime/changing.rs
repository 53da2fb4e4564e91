//! Compares runs with changed registers with runs whose states had these values from the start, for random programs,
//! prompts and changes.

use psl_runtime::{
    CellId, Change, Executable, MachineKind, Options, Run, RunError, Task, Trace, Update, ValueId, to_the_end,
};
use psl_syntax::program::{ProductionId, RegisterId, Statement};

use crate::common::{self, program, random::Random, random_task, task, traced};

const SEEDS: u64 = 400;

/// Runs with changes and returns the trace too.
fn changed(executable: &Executable, task: &Task, changes: &[Change]) -> (Result<Run, RunError>, Trace) {
    let mut trace = Trace::default();
    let run = executable.run_changed(task, changes, Some(&mut to_the_end(|update| trace.updates.push(update.clone()))));
    (run, trace)
}

fn unchanged(executable: &Executable, task: &Task) -> (Result<Run, RunError>, Trace) {
    traced(executable, MachineKind::Psm, task)
}

/// A random program and task that keep the cells of earlier steps, with the run, which may fail.
fn case(seed: u64) -> (Executable, Task, Result<Run, RunError>, Trace) {
    let (executable, mut task) = random_task(seed);
    task.limits.recompute = false;
    // Changes can make a block run until this limit.
    task.limits.max_passes = task.limits.max_passes.min(100);
    let (run, trace) = unchanged(&executable, &task);
    (executable, task, run, trace)
}

/// A change of a random register before an update, to a random value of the task, a new one or null.
fn random_change(random: &mut Random, executable: &Executable, task: &mut Task, update: &Update) -> Change {
    let values = task.vocabulary.len() as u64;
    let value = match random.below(10) {
        0 => None,
        1 => Some(task.add_value("new")),
        _ => Some(ValueId(random.below(values) as u32)),
    };
    let register = RegisterId(random.below(executable.registers.len() as u64) as u32);
    before(update, register, value)
}

fn before(update: &Update, register: RegisterId, value: Option<ValueId>) -> Change {
    let Update { step, layer, cell, .. } = *update;
    Change { step, layer, pass: update.pass.clone(), cell, register, value }
}

/// Whether two updates are of the same layer in the same passes of the same step.
fn same_row(left: &Update, right: &Update) -> bool {
    (left.step, left.layer, &left.pass) == (right.step, right.layer, &right.pass)
}

#[test]
fn a_change_before_the_first_layer_is_a_change_of_the_prompt() {
    let mut differ = 0;
    for seed in 0..SEEDS {
        let (executable, mut task, run, trace) = case(seed);
        let mut random = Random::new(seed);
        let first: Vec<_> = trace.updates.iter().filter(|update| same_row(update, &trace.updates[0])).collect();
        let update = first[random.below(first.len() as u64) as usize];
        let change = random_change(&mut random, &executable, &mut task, update);
        let found = changed(&executable, &task, std::slice::from_ref(&change));
        task.input.cells[change.cell.index()][change.register.index()] = change.value;
        assert_eq!(found, unchanged(&executable, &task), "seed {seed}: {change:?}");
        differ += usize::from(found != (run, trace));
    }
    assert!(differ > 200, "{differ} changes of a run");
}

#[test]
fn a_change_before_a_layer_starts_the_remaining_layers_in_the_changed_states() {
    let mut cases = 0;
    for seed in 0..4 * SEEDS {
        let (executable, mut task) = random_task(seed);
        let flat = |statement: &Statement| matches!(statement, Statement::Production(production) if production.sound);
        if !executable.program.statements.iter().all(flat) {
            continue;
        }
        cases += 1;
        task.limits.max_new = 1;
        let (_, trace) = unchanged(&executable, &task);
        let mut random = Random::new(seed);
        let update = trace.updates[random.below(trace.updates.len() as u64) as usize].clone();
        let change = random_change(&mut random, &executable, &mut task, &update);
        let (run, mut found) = changed(&executable, &task, std::slice::from_ref(&change));

        let mut rest = executable.program.clone();
        rest.statements.drain(..change.layer.index());
        found.updates.retain(|update| update.layer >= change.layer);
        for update in &mut found.updates {
            update.layer = ProductionId::new(update.layer.index() - change.layer.index());
        }
        for before in trace.updates.iter().filter(|update| update.layer < change.layer) {
            task.input.cells[before.cell.index()].clone_from(&before.state);
        }
        task.input.cells[change.cell.index()][change.register.index()] = change.value;
        assert_eq!((run, found), unchanged(&Executable::new(rest), &task), "seed {seed}: {change:?}");
    }
    assert!(cases > 40, "{cases} programs without repeat blocks");
}

#[test]
fn a_change_to_the_same_value_changes_nothing() {
    for seed in 0..SEEDS {
        let (executable, task, run, trace) = case(seed);
        let mut random = Random::new(seed);
        let changes: Vec<_> = (0..20)
            .map(|_| {
                let index = random.below(trace.updates.len() as u64) as usize;
                let update = &trace.updates[index];
                let register = RegisterId(random.below(executable.registers.len() as u64) as u32);
                let before_update = trace.updates[..index].iter().rfind(|before| before.cell == update.cell);
                let cell_before = || {
                    let last = trace.updates[..index].iter().rfind(|before| before.cell.next() == update.cell)?;
                    let mut state = last.state.as_ref().clone();
                    let position = executable.registers.roles.position.unwrap().0 as usize;
                    state[position] = task.vocabulary.positions().get(update.cell.number()).copied();
                    Some(state)
                };
                let start = || task.input.cells.get(update.cell.index()).cloned().or_else(cell_before).unwrap();
                let state = before_update.map_or_else(start, |before| before.state.as_ref().clone());
                before(update, register, state[register.index()])
            })
            .collect();
        let found = changed(&executable, &task, &changes);
        // A block is searched for cycles only after its last change.
        if matches!(run, Err(RunError::Endless { .. })) {
            let shorter = trace.updates.len().min(found.1.updates.len());
            assert_eq!(found.1.updates[..shorter], trace.updates[..shorter], "seed {seed}");
            assert!(found.0.is_err(), "seed {seed}");
        } else {
            assert_eq!(found, (run, trace), "seed {seed}: {changes:?}");
        }
    }
}

#[test]
fn nothing_differs_before_a_change() {
    let mut differ = 0;
    for seed in 0..SEEDS {
        let (executable, mut task, _, trace) = case(seed);
        let mut random = Random::new(seed);
        let update = trace.updates[random.below(trace.updates.len() as u64) as usize].clone();
        let change = random_change(&mut random, &executable, &mut task, &update);
        let (_, found) = changed(&executable, &task, &[change]);
        let before = trace.updates.iter().position(|other| same_row(other, &update)).unwrap();
        assert_eq!(found.updates[..before], trace.updates[..before], "seed {seed}");
        differ += usize::from(found.updates[before..] != trace.updates[before..]);
    }
    assert!(differ > 200, "{differ} changes of a trace");
}

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
";

/// Runs productions with changes and compares the continuation, or the message.
fn check(productions: &str, prompt: &str, changes: &[(usize, usize, &[usize], usize, &str)], expected: &str) {
    let executable = Executable::new(program(&format!("{HEAD}{productions}")));
    let mut task = task(&executable, prompt, &Options { max_new: Some(3), ..Options::default() });
    let mark = executable.registers.by_long("mark").unwrap();
    let change = |&(step, layer, pass, cell, text): &(usize, usize, &[usize], usize, &str)| {
        let value = (text != "∅").then(|| task.add_value(text));
        let (layer, cell) = (ProductionId::of_number(layer).unwrap(), CellId::of_number(cell).unwrap());
        Change { step, layer, pass: pass.to_vec(), cell, register: mark, value }
    };
    let changes: Vec<_> = changes.iter().map(change).collect();
    let found = match executable.run_changed(&task, &changes, None) {
        Ok(run) => common::output(&run, &task),
        Err(error) => error.message(&executable.registers, &task.vocabulary),
    };
    assert_eq!(found, expected, "{productions}");
}

const SET: &str = "where symbol[N] == A: mark[N] = B ";
/// Takes the mark of the cell to the left.
const SHIFT: &str = "where position[n] == position[N]@pos_decrement: mark[N] = mark[n] ";

#[test]
fn later_layers_and_generated_cells_see_a_change() {
    check(&format!("{SET}{SHIFT}"), "A A", &[], "B B B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(0, 2, &[], 1, "C")], "C B B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(0, 2, &[], 2, "C")], "B C B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(1, 2, &[], 3, "new")], "B B new");
    check(SET, "A A", &[(1, 1, &[], 3, "C")], "B B B");
    check(SET, "C C", &[(1, 1, &[], 3, "C")], "∅ C C");
    check("where mark[N] == B: mark[N] = C", "A", &[(0, 1, &[], 1, "B")], "C C C");
}

#[test]
fn a_change_that_the_run_does_not_reach_does_nothing() {
    let places: [(usize, usize, &[usize], usize); 6] =
        [(3, 1, &[], 5), (0, 2, &[], 1), (0, 1, &[1], 1), (0, 1, &[], 3), (1, 1, &[], 2), (0, 1, &[], usize::MAX)];
    for (step, layer, pass, cell) in places {
        check("where symbol[N] == C: mark[N] = B", "A A", &[(step, layer, pass, cell, "C")], "∅ ∅ ∅");
    }
}

#[test]
fn a_stop_symbol_that_a_change_brings_ends_the_continuation() {
    check(SET, "C C", &[(1, 1, &[], 3, ".")], "∅ .");
}

#[test]
fn a_block_is_endless_only_after_its_last_change() {
    let swap = "repeat: where mark[N] == A: mark[N] = B where mark[N] == B: mark[N] = A until mark[N] == C";
    let repeat = |changes: &[(usize, usize, &[usize], usize, &'static str)], expected: &str| {
        check(&format!("where symbol[N] == A: mark[N] = A {swap}"), "A", changes, expected);
    };
    let endless = "repeat block 1 never stops: a pass changes nothing, and the `until` conditions do not hold; use `until \
                   NO_CHANGE`, or conditions that the block makes true";
    repeat(&[(0, 2, &[2], 1, "B")], endless);
    repeat(&[(0, 2, &[2], 1, "B"), (0, 2, &[5], 1, "C")], "C A A");
}

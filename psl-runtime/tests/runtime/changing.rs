//! Compares runs with changed registers with runs whose states had these values from the start, for random programs,
//! prompts and changes.

use std::mem::discriminant;

use psl_runtime::{
    CellId, Change, ChangeTime, Executable, MachineKind, Options, Run, RunError, Task, Trace, Update, ValueId,
    to_the_end,
};
use psl_syntax::{
    Span,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, Constant, Operand, Production, ProductionId, Program,
        Register, RegisterId, Select, Statement,
    },
};

use crate::common::{
    self, program,
    random::Random,
    random_task,
    seeds::{enough, seeds},
    task, traced,
};

const SEEDS: u64 = 400;

/// Runs with changes and returns the trace too.
fn changed(executable: &Executable, task: &Task, changes: &[Change]) -> (Result<Run, RunError>, Trace) {
    let mut trace = Trace::default();
    let run = executable.run_changed(task, changes, Some(&mut to_the_end(|update| trace.updates.push(update.clone()))));
    (run.map(|(run, _)| run), trace)
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
    let Update { layer, cell, .. } = *update;
    Change { at: ChangeTime::Before(layer), pass: Some(update.pass.clone()), cell, register, value }
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
        rest.statements.drain(..update.layer.index());
        found.updates.retain(|other| other.layer >= update.layer);
        for other in &mut found.updates {
            other.layer = ProductionId::new(other.layer.index() - update.layer.index());
        }
        for before in trace.updates.iter().filter(|other| other.layer < update.layer) {
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

/// The names of a register and a constant that no random program has.
const TAG: &str = "changed_here";

/// Inserts a production after the layer of a production: where the tag is set, it sets a register. Returns whether that
/// production is among the statements.
///
/// Recursion depth is the nesting of repeat blocks, which random programs limit.
fn insert(statements: &mut Vec<Statement>, after: ProductionId, next: &mut usize, production: &Production) -> bool {
    for index in 0..statements.len() {
        match &mut statements[index] {
            Statement::Production(one) => {
                *next += usize::from(one.sound);
                if !one.sound || *next != after.number() {
                    continue;
                }
                let shares = |it: &Statement| matches!(it, Statement::Production(one) if one.shares_layer);
                let heads = statements[index + 1..].iter().take_while(|it| shares(it)).count();
                statements.insert(index + 1 + heads, Statement::Production(production.clone()));
                return true;
            }
            Statement::Repeat(repeat) => {
                if insert(&mut repeat.body, after, next, production) {
                    return true;
                }
            }
        }
    }
    false
}

/// The program with a production after a layer that sets a register to a value in the cells with the tag.
fn with_production(program: &Program, after: ProductionId, register: RegisterId, value: &str) -> Program {
    let mut program = program.clone();
    let span = Span::default();
    let constant = |name: &str, value: &str| Constant { name: name.to_owned(), value: value.to_owned(), span };
    let tag = program.registers.push(Register { name: TAG.to_owned(), short: TAG.to_owned(), span, short_span: span });
    let yes = program.constants.push(constant(TAG, TAG));
    let value = program.constants.push(constant("new_value", value));
    let left = CellRegister { register: tag, cell: Cell::Updated };
    let production = Production {
        span,
        head: span,
        label: None,
        causal_attn: None,
        select: Select::Leftmost,
        conditions: vec![Condition { left, comparison: Comparison::Is(Operand::Constant(yes)), span }],
        assignments: vec![Assignment { target: register, source: Operand::Constant(value), span }],
        shares_layer: false,
        sound: true,
    };
    assert!(insert(&mut program.statements, after, &mut 0, &production));
    program
}

/// A change in every pass is a production that sets the register in this cell alone. A generated cell would copy the
/// tag of the last one of the prompt, so that the prompt's pass alone is compared where that one is changed.
#[test]
fn a_change_after_a_layer_is_a_production_after_it() {
    let (mut differ, mut endless) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let program = random.program();
        let executable = Executable::new(program.clone());
        let (cells, options) = common::random_prompt(&mut random, &executable.registers);
        let layers = executable.labels().len() as u64;
        for _ in 0..20 {
            let mut task = executable.structured_task(&cells, &options).unwrap();
            task.limits.recompute = false;
            task.limits.max_passes = task.limits.max_passes.min(100);
            let prompt = task.input.cells.len();
            let cell = random.below(prompt as u64) as usize;
            if cell + 1 == prompt {
                task.limits.max_new = 1;
            }
            let layer = ProductionId::new(random.below(layers) as usize);
            let register = RegisterId(random.below(executable.registers.len() as u64) as u32);
            let text = match random.below(5) {
                0 => "new".to_owned(),
                _ => {
                    task.vocabulary.text(ValueId(random.below(task.vocabulary.len() as u64) as u32)).unwrap().to_owned()
                }
            };
            let (at, pass) = (ChangeTime::After(layer), None);
            let value = Some(task.add_value(&text));
            let change = Change { at, pass, cell: CellId::new(cell), register, value };
            let (found, _) = changed(&executable, &task, std::slice::from_ref(&change));

            let other = Executable::new(with_production(&program, layer, register, &text));
            let mut tagged = cells.clone();
            tagged[cell].push((other.registers.by_long(TAG).unwrap(), TAG));
            let mut other_task = other.structured_task(&tagged, &options).unwrap();
            other_task.limits = psl_runtime::Limits { stop: other_task.limits.stop, ..task.limits.clone() };
            other_task.limits.ablated = task.limits.ablated.iter().map(|it| shifted(*it, layer, &executable)).collect();
            let expected = other.run(MachineKind::Psm, &other_task, None);
            let place = format!("seed {seed}: {change:?} to {text}");
            match (&found, &expected) {
                (Ok(found), Ok(expected)) => {
                    let shown = |run: &Run, task: &Task| {
                        let states = run.states.iter().map(|state| {
                            let registers = state.iter().take(executable.registers.len());
                            registers.map(|value| task.vocabulary.show(*value).to_owned()).collect::<Vec<_>>()
                        });
                        (common::output(run, task), states.collect::<Vec<_>>())
                    };
                    assert_eq!(shown(found, &task), shown(expected, &other_task), "{place}");
                }
                (Err(found), Err(expected)) => {
                    endless += usize::from(matches!(found, RunError::Endless { .. }));
                    assert_eq!(discriminant(found), discriminant(expected), "{place}");
                }
                _ => panic!("{place}: {found:?}, not {expected:?}"),
            }
            differ += usize::from(found != executable.run(MachineKind::Psm, &task, None));
        }
    }
    enough(differ, 1_000, "changes of a run");
    enough(endless, 1, "endless runs");
}

/// The number of an ablated production after the insertion.
fn shifted(ablated: ProductionId, after: ProductionId, executable: &Executable) -> ProductionId {
    let layer = |id: ProductionId| executable.heads().get(id.index()).map_or(id.index(), |place| place.layer.index());
    if layer(ablated) > layer(after) { ablated.next() } else { ablated }
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

/// A change of `mark`: the time, the passes if it is in one, the cell and the text of the value.
type MarkChange<'t> = (ChangeTime, Option<&'t [usize]>, usize, &'t str);

const START: ChangeTime = ChangeTime::Start;

fn at(layer: usize, time: fn(ProductionId) -> ChangeTime) -> ChangeTime {
    time(ProductionId::of_number(layer).unwrap())
}

fn pre(layer: usize) -> ChangeTime {
    at(layer, ChangeTime::Before)
}

fn post(layer: usize) -> ChangeTime {
    at(layer, ChangeTime::After)
}

/// Runs productions with changes, and compares the continuation, or the message. All changes are reached, or none.
fn check_reached(productions: &str, prompt: &str, changes: &[MarkChange<'_>], expected: &str, reached: bool) {
    let executable = Executable::new(program(&format!("{HEAD}{productions}")));
    let mut task = task(&executable, prompt, &Options { max_new: Some(3), ..Options::default() });
    let register = executable.registers.by_long("mark").unwrap();
    let change = |&(at, pass, cell, text): &MarkChange<'_>| {
        let value = (text != "∅").then(|| task.add_value(text));
        let pass = pass.map(<[usize]>::to_vec);
        Change { at, pass, cell: CellId::of_number(cell).unwrap(), register, value }
    };
    let changes: Vec<_> = changes.iter().map(change).collect();
    let found = match executable.run_changed(&task, &changes, None) {
        Ok((run, unreached)) => {
            let expected = if reached { Vec::new() } else { (0..changes.len()).collect() };
            assert_eq!(unreached, expected, "{productions}");
            common::output(&run, &task)
        }
        Err(error) => error.message(&executable.registers, &task.vocabulary),
    };
    assert_eq!(found, expected, "{productions}");
}

fn check(productions: &str, prompt: &str, changes: &[MarkChange<'_>], expected: &str) {
    check_reached(productions, prompt, changes, expected, true);
}

const SET: &str = "where symbol[N] == A: mark[N] = B ";
/// Takes the mark of the cell to the left.
const SHIFT: &str = "where position[n] == position[N]@pos_decrement: mark[N] = mark[n] ";

#[test]
fn later_layers_and_generated_cells_see_a_change() {
    check(&format!("{SET}{SHIFT}"), "A A", &[], "B B B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(pre(2), Some(&[]), 1, "C")], "C B B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(post(1), None, 1, "C")], "C B B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(pre(2), None, 2, "C")], "B C B");
    check(&format!("{SET}{SHIFT}"), "A A", &[(pre(2), Some(&[]), 3, "new")], "B B new");
    check(SET, "A A", &[(pre(1), None, 3, "C")], "B B B");
    check(SET, "C C", &[(pre(1), None, 3, "C")], "∅ C C");
    check("where mark[N] == B: mark[N] = C", "A", &[(pre(1), None, 1, "B")], "C C C");
}

#[test]
fn a_change_after_a_layer_replaces_what_it_wrote() {
    check(SET, "A A", &[(post(1), None, 2, "C")], "C B B");
    check(SET, "A A", &[(post(1), None, 2, "∅")], "∅ B B");
    // The layer does not fire.
    check(SET, "C C", &[(post(1), None, 2, "C")], "C C C");
    check(SET, "C C", &[(START, None, 3, "C")], "∅ C C");
    check(SET, "C C", &[(START, None, 2, "A"), (post(1), None, 3, "∅")], "A ∅ ∅");
}

#[test]
fn a_change_without_a_pass_is_made_in_each() {
    let count = "where symbol[N] == A: mark[N] = A \
                 repeat: where mark[N] == B: mark[N] = C where mark[N] == A: mark[N] = B until NO_CHANGE";
    check(count, "A", &[], "C C C");
    check(count, "A", &[(post(3), None, 1, "X")], "X C C");
    check(count, "A", &[(post(3), Some(&[1]), 1, "B")], "C C C");
    check(count, "A", &[(post(3), Some(&[2]), 1, "A")], "C C C");
}

#[test]
fn a_change_that_the_run_does_not_reach_does_nothing() {
    let places: [(ChangeTime, Option<&[usize]>, usize); 6] = [
        (pre(1), None, 5),
        (pre(2), None, 1),
        (post(2), None, 1),
        (pre(1), Some(&[1]), 1),
        (START, None, 5),
        (pre(1), None, usize::MAX),
    ];
    for (at, pass, cell) in places {
        check_reached("where symbol[N] == C: mark[N] = B", "A A", &[(at, pass, cell, "C")], "∅ ∅ ∅", false);
    }
}

#[test]
fn a_stop_symbol_that_a_change_brings_ends_the_continuation() {
    check(SET, "C C", &[(pre(1), None, 3, ".")], "∅ .");
}

#[test]
fn a_block_is_endless_only_after_its_last_change() {
    let swap = "repeat: where mark[N] == A: mark[N] = B where mark[N] == B: mark[N] = A until mark[N] == C";
    let repeat = |changes: &[MarkChange<'_>], expected: &str| {
        check(&format!("where symbol[N] == A: mark[N] = A {swap}"), "A", changes, expected);
    };
    let endless = "repeat block 1 never stops: a pass changes nothing, and the `until` conditions do not hold; use `until \
                   NO_CHANGE`, or conditions that the block makes true";
    repeat(&[(pre(2), Some(&[2]), 1, "B")], endless);
    repeat(&[(pre(2), Some(&[2]), 1, "B"), (pre(2), Some(&[5]), 1, "C")], "C A A");
    repeat(&[(post(3), Some(&[5]), 1, "C")], "C A A");
    repeat(&[(post(3), None, 1, "B")], endless);
}

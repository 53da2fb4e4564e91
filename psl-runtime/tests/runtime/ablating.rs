//! Ablated layers: all machines agree, and a run equals that of a program whose layers set nothing.

use std::collections::BTreeSet;

use psl_runtime::{Executable, MachineKind, Options, Run, RunError, Task, VerifyError};
use psl_syntax::{
    Program,
    program::{ProductionId, Statement},
};

use crate::common::{output, pargen, program, random::Random, random_task, task, traced};

const SEEDS: u64 = 1_000;

const HEAD: &str = "registers: {symbol: 's', position: 'p', copy: 'c', mark: 'm'}
    system: {symbol: symbol, position: position, output: copy}
    constants: {A: 'A', B: 'B'}\n";

/// The program without the assignments of some productions, by their layers.
fn emptied(mut program: Program, layers: &BTreeSet<ProductionId>) -> Program {
    fn empty(statements: &mut [Statement], layer: &mut usize, layers: &BTreeSet<ProductionId>) {
        for statement in statements {
            match statement {
                Statement::Production(production) if production.sound => {
                    if layers.contains(&ProductionId::new(*layer)) {
                        production.assignments.clear();
                    }
                    *layer += 1;
                }
                Statement::Production(_) => {}
                Statement::Repeat(repeat) => empty(&mut repeat.body, layer, layers),
            }
        }
    }
    empty(&mut program.statements, &mut 0, layers);
    program
}

/// A random program with a task, some of whose layers are ablated.
fn case(seed: u64) -> (Executable, Task) {
    let (executable, mut task) = random_task(seed);
    let layers = executable.labels().len() as u64;
    let mut random = Random::new(seed);
    task.limits.ablated = (0..=random.below(2)).map(|_| ProductionId::new(random.below(layers) as usize)).collect();
    task.limits.max_passes = task.limits.max_passes.min(100);
    (executable, task)
}

/// Whether the run failed because a pass changes nothing and the conditions of the block do not hold.
fn is_stuck(run: &Result<Run, RunError>) -> bool {
    matches!(run, Err(RunError::Endless { cycle, .. }) if cycle.turning.is_empty())
}

#[test]
fn all_machines_agree_on_ablated_layers() {
    let mut changed = 0;
    for seed in 0..SEEDS {
        let (executable, mut task) = case(seed);
        match executable.verify(&task) {
            Err(VerifyError::Diverged(difference)) => panic!("seed {seed}: {difference:?}"),
            Err(VerifyError::Run(_)) => {}
            Ok(ablated) => {
                task.limits.ablated.clear();
                changed += usize::from(Ok(ablated.run) != executable.run(MachineKind::Dat, &task, None));
            }
        }
    }
    assert!(changed > 300, "{changed} runs change with a layer");
}

#[test]
fn an_ablated_layer_is_one_that_sets_nothing() {
    let mut settled = 0;
    for seed in 0..SEEDS {
        let (executable, mut task) = case(seed);
        let found = traced(&executable, MachineKind::Dat, &task);
        let empty = Executable::new(emptied(executable.program.clone(), &task.limits.ablated));
        task.limits.ablated.clear();
        let expected = traced(&empty, MachineKind::Psm, &task);
        if is_stuck(&expected.0) {
            settled += usize::from(!is_stuck(&found.0));
        } else {
            assert_eq!(found, expected, "seed {seed}");
        }
    }
    assert!(settled > 0);
}

/// The continuation of a run with ablated layers, on which all machines agree.
fn ablated(productions: &str, prompt: &str, layers: &[usize]) -> String {
    let executable = Executable::new(program(&format!("{HEAD}{productions}")));
    let ablated = layers.iter().map(|&number| ProductionId::of_number(number).unwrap()).collect();
    let task = task(&executable, prompt, &Options { max_new: Some(2), ablated, ..Options::default() });
    output(&executable.verify(&task).unwrap().run, &task)
}

#[test]
fn a_layer_is_ablated_for_generated_cells_too() {
    let productions = "where symbol[N] == A: copy[N] = B\nwhere copy[N] == B: symbol[N] = B";
    assert_eq!(ablated(productions, "B A", &[]), "B B");
    assert_eq!(ablated(productions, "B A", &[1]), "∅ ∅");
}

#[test]
fn a_block_settles_when_its_other_layers_change_nothing() {
    let block =
        "repeat:\n    where symbol[N] == A: mark[N] = A\n    where symbol[N] == A: copy[N] = B\nuntil mark[N] == A";
    assert_eq!(ablated(block, "A", &[1]), "B B");
    let nested = format!("repeat:\n{block}\nuntil mark[N] == A");
    assert_eq!(ablated(&nested, "A", &[1]), "B B");
}

#[test]
fn a_block_without_an_ablated_layer_still_never_stops() {
    let productions =
        "where symbol[N] == A: mark[N] = A\nrepeat:\n    where symbol[N] == A: copy[N] = B\nuntil mark[N] == A";
    let executable = Executable::new(program(&format!("{HEAD}{productions}")));
    let ablated = BTreeSet::from([ProductionId::new(0)]);
    let task = task(&executable, "A", &Options { ablated, ..Options::default() });
    for machine in MachineKind::ALL {
        assert!(is_stuck(&executable.run(machine, &task, None)));
    }
}

#[test]
fn the_whole_of_pargen_without_each_layer_is_the_same_on_all_machines() {
    let executable = pargen();
    let prompt = "Q a ? b A b ? a . Q c ? d A";
    let whole = task(&executable, prompt, &Options::default());
    let expected = output(&executable.verify(&whole).unwrap().run, &whole);
    let mut needed = 0;
    for layer in ProductionId::first(executable.labels().len()) {
        let ablated = BTreeSet::from([layer]);
        let task = task(&executable, prompt, &Options { ablated, ..Options::default() });
        needed += usize::from(output(&executable.verify(&task).unwrap().run, &task) != expected);
    }
    assert!(needed > 10, "{needed} layers are needed");
}

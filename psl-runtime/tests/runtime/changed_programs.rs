//! A changed program runs as if all of it had been compiled.

use psl_runtime::{Executable, MachineKind};
use psl_syntax::program::{Program, Statement};

use crate::common::{program, random::Random, random_prompt, task, traced};

/// Runs a program on random prompts, compiled as a change of another one and on its own.
fn check(random: &mut Random, from: &Executable, to: &Program, place: &str) -> Executable {
    let (changed, new) = (from.changed(to.clone()), Executable::new(to.clone()));
    for _ in 0..3 {
        let (cells, options) = random_prompt(random, &new.registers);
        let task = new.structured_task(&cells, &options).unwrap();
        let changed_task = changed.structured_task(&cells, &options).unwrap();
        assert!(task.vocabulary.iter().eq(changed_task.vocabulary.iter()), "{place}");
        assert_eq!(traced(&changed, MachineKind::Dat, &changed_task), traced(&new, MachineKind::Dat, &task), "{place}");
    }
    assert_eq!((changed.qkvl(), changed.labels()), (new.qkvl(), new.labels()), "{place}");
    changed
}

#[test]
fn productions_are_added_and_removed() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let before = random.program();
        let mut after = before.clone();
        random.echo(&mut after);
        let place = format!("seed {seed}");
        let executable = check(&mut random, &Executable::new(before.clone()), &after, &place);
        let again = check(&mut random, &executable, &before, &place);
        check(&mut random, &again, &before, &place);
    }
}

#[test]
fn productions_get_errors_and_lose_them() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let before = random.program();
        let mut after = before.clone();
        let index = random.below(after.statements.len() as u64) as usize;
        if let Statement::Production(production) = &mut after.statements[index] {
            production.sound = false;
        }
        let place = format!("seed {seed}");
        let executable = check(&mut random, &Executable::new(before.clone()), &after, &place);
        check(&mut random, &executable, &before, &place);
    }
}

#[test]
fn names_and_roles_change() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let before = random.program();
        let executable = Executable::new(before.clone());
        let changes: [fn(&mut Program); 3] = [
            |program| program.registers.as_mut_slice().swap(0, 1),
            |program| program.constants.as_mut_slice().rotate_left(1),
            |program| program.roles.output = program.roles.position,
        ];
        for (change, number) in changes.into_iter().zip(1..) {
            let mut after = before.clone();
            change(&mut after);
            check(&mut random, &executable, &after, &format!("seed {seed}, change {number}"));
        }
    }
}

#[test]
fn a_constant_of_a_repeat_block_changes() {
    let text = |constant: &str| {
        program(&format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}} constants: {{A, B, C}}
             system: {{symbol: symbol, position: position, output: mark}}
             where symbol[N] == A: mark[N] = B
             repeat:
                 where mark[N] == B: mark[N] = {constant}
             until mark[N] == {constant}
             where mark[N] == C: mark[N] = A"
        ))
    };
    let changed = Executable::new(text("B")).changed(text("C"));
    let task = task(&changed, "A", &psl_runtime::Options { max_new: Some(1), ..Default::default() });
    let run = changed.run(MachineKind::Dat, &task, None).unwrap();
    assert_eq!(crate::common::output(&run, &task), "A");
}

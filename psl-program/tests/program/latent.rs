//! The codes of random programs against a full trace and against the weights, and those of PARGEN.

use std::{collections::BTreeMap, num::NonZeroUsize};

use psl_program::{
    Progress, Runner,
    latent::{LayerHeads, Pair, check, layers, pairs},
};
use psl_runtime::{Executable, LayerId, MachineKind, Options, Task, record::RecordedRun};
use psl_syntax::{Program, program::Statement, schedule::schedule};

use crate::common::{
    self,
    random::Random,
    random_prompt,
    seeds::{enough, seeds},
    traced,
};

/// A scheduled program with a task.
struct Case {
    runner: Runner,
    task: Task,
    layers: Vec<LayerHeads>,
}

impl Case {
    fn new(program: &Program, max_heads: Option<NonZeroUsize>, task: impl FnOnce(&Executable) -> Task) -> Self {
        Self::of(schedule(program, max_heads).apply(program), task)
    }

    fn of(program: Program, task: impl FnOnce(&Executable) -> Task) -> Self {
        let executable = Executable::new(program);
        let (layers, task) = (layers(&executable), task(&executable));
        Self { runner: Runner::of(executable), task, layers }
    }

    /// A random program. Some are scheduled, with any number of heads or with at most 4. In the others, productions
    /// share layers even if they affect each other.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        if random.percent(50) {
            let max_heads = NonZeroUsize::new(random.below(5) as usize);
            program = schedule(&program, max_heads).apply(&program);
        } else {
            share_layers(&mut program.statements, &mut random);
        }
        Self::of(program, |executable| {
            let (cells, options) = random_prompt(&mut random, &executable.registers);
            let options = Options { recompute: false, ..options };
            executable.structured_task(&cells, &options).expect("a task")
        })
    }

    fn run(&self, machine: MachineKind) -> RecordedRun {
        self.runner.record(self.task.clone(), machine, &Progress::default())
    }

    fn pairs(&self, run: &RecordedRun) -> Vec<(LayerId, Pair)> {
        self.layers.iter().flat_map(|heads| pairs(run, heads).map(|pair| (heads.layer, pair))).collect()
    }

    /// The pairs by the updates of a trace.
    fn pairs_of_trace(&self) -> Vec<(LayerId, Pair)> {
        let (_, trace) = traced(self.runner.executable(), MachineKind::Psm, &self.task);
        let mut found = Vec::new();
        for heads in &self.layers {
            let mut codes = BTreeMap::<_, Vec<usize>>::new();
            for update in trace.updates.iter().filter(|update| heads.productions.contains(&update.layer)) {
                let head = update.layer.index() - heads.productions.start.index();
                if let Some(attends) = update.attends {
                    codes.entry((update.step, &update.pass, update.cell, attends)).or_default().push(head);
                }
            }
            found.extend(codes.into_iter().map(|((step, pass, cell, attends), code)| {
                (heads.layer, Pair { step, pass: pass.clone(), cell, attends, code })
            }));
        }
        found
    }
}

fn share_layers(statements: &mut [Statement], random: &mut Random) {
    for statement in statements {
        match statement {
            Statement::Production(production) => production.shares_layer = random.percent(40),
            Statement::Repeat(repeat) => share_layers(&mut repeat.body, random),
        }
    }
}

#[test]
fn the_pairs_of_random_programs_are_those_of_their_traces() {
    let (mut compared, mut of_several) = (0, 0);
    for seed in seeds() {
        let case = Case::random(seed);
        let run = case.run(MachineKind::Dat);
        if run.outcome().is_err() {
            continue;
        }
        let (mut found, mut expected) = (case.pairs(&run), case.pairs_of_trace());
        let key = |(layer, pair): &(LayerId, Pair)| (*layer, pair.step, pair.pass.clone(), pair.cell, pair.attends);
        // Passes of nested blocks have another order in a map.
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found, expected, "seed {seed}");
        compared += found.len();
        of_several += found.iter().filter(|(_, pair)| pair.code.len() > 1).count();
    }
    enough(compared, 5_000, "pairs");
    enough(of_several, 100, "pairs with several heads");
}

#[test]
fn the_codes_of_random_programs_agree_with_the_weights() {
    let mut checked = 0;
    for seed in seeds() {
        let case = Case::random(seed);
        // A run that fails is checked up to its end.
        let run = case.run(MachineKind::ALL[seed as usize % 4]);
        let result = check(case.runner.executable(), &run, &case.layers);
        checked += result.unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
    }
    enough(checked, 5_000, "codes");
}

#[test]
fn a_run_of_another_program_differs() {
    let mut found = 0;
    for seed in seeds() {
        let case = Case::random(seed);
        let run = case.run(MachineKind::Dat);
        let mut program = case.runner.executable().program.clone();
        let Some(last) = program.constants.len().checked_sub(1) else { continue };
        let last = &case.runner.executable().program.constants.as_slice()[last];
        program.constants.as_mut_slice()[0].value.clone_from(&last.value);
        let other = Executable::new(program);
        found += usize::from(check(&other, &run, &case.layers).is_err());
    }
    enough(found, 50, "runs that differ");
}

#[test]
fn the_codes_of_pargen_agree_with_the_weights() {
    let prompts = [
        "Q B V D E A D E V B . Q F G H V K L A",
        "Q a A a . Q b A",
        "Q a ? b A b ? a . Q c ? d A",
        "Q e f A e . Q g h A",
    ];
    for prompt in prompts {
        for max_heads in [None, NonZeroUsize::new(4), NonZeroUsize::new(1)] {
            let program = common::pargen().program;
            let options = Options::of(&program);
            let case = Case::new(&program, max_heads, |executable| common::task(executable, prompt, &options));
            let run = case.run(MachineKind::FullDat);
            assert!(run.outcome().is_ok(), "{prompt}");
            let checked = check(case.runner.executable(), &run, &case.layers).unwrap_or_else(|it| panic!("{it}"));
            assert_eq!(checked, case.pairs(&run).len());
            let several = case.pairs(&run).iter().filter(|(_, pair)| pair.code.len() > 1).count();
            let may = max_heads.is_none_or(|max_heads| max_heads.get() > 1);
            assert_eq!(several > 0, may, "{prompt}, {max_heads:?}: {several} of {checked}");
        }
    }
}

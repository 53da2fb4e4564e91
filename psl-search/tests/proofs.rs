//! Proofs against brute force: every prompt of a few met symbols, of free ones and of numbers.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../../psl-runtime/tests/common/common.rs"]
mod common;

use std::collections::BTreeSet;

use psl_program::Runner;
use psl_runtime::{Executable, MachineKind, Options, Stopped, VerifyError};
use psl_search::{Claim, OneThread, Proof, ShortPrompts, Wanted, prove};
use psl_syntax::{
    Program,
    domains::{MetValues, met_values},
    law::Law,
    program::DEFAULT_STOP,
};

use crate::common::{cases, random::Random};

/// Free symbols that programs do not mention, that they declare, that the machine writes, and numbers, unless a program
/// meets them.
const CANDIDATES: [&str; 10] = ["u", "7", "EOP", "A", "B", "C", "X", "v", "w", "x"];

const CLAIMS: [Claim; 5] =
    [Claim::Answers, Claim::Terminates, Claim::Causal, Claim::Copies(Vec::new()), Claim::Machines];

struct Case {
    runner: Runner,
    options: Options,
    met: MetValues,
}

impl Case {
    fn new(program: Program) -> Self {
        let options = Options { max_new: program.max_new, stop: program.stop.clone(), ..Options::default() };
        let met = met_values(&program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        Self { runner: Runner::of(Executable::new(program)), options, met }
    }

    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        program.stop = Some(random.choose(&["X", "."]).to_owned());
        program.max_new = Some(random.choose(&[1, 2, 3]));
        Self::new(program)
    }

    fn prove(&self, claim: &Claim, wanted: &Wanted) -> Proof {
        let prompts = ShortPrompts::new(&self.runner, &self.options, wanted).expect("prompts");
        prove(&self.runner, claim, &prompts, &OneThread).expect("a proof")
    }

    /// Whether a claim holds for a prompt on the PSM.
    fn holds(&self, claim: &Claim, prompt: &[&str]) -> bool {
        let executable = self.runner.executable();
        let task = executable.task(prompt, &self.options).expect("a task");
        let (result, trace) = common::traced(executable, MachineKind::Psm, &task);
        let stop = self.options.stop.as_deref().unwrap_or(DEFAULT_STOP);
        match (claim, result) {
            (Claim::Causal, _) => {
                trace.updates.iter().all(|update| update.attends.is_none_or(|attends| attends <= update.cell))
            }
            (Claim::Machines, _) => !matches!(executable.verify(&task), Err(VerifyError::Diverged(_))),
            (_, Err(_)) => false,
            (Claim::Terminates, Ok(_)) => true,
            (Claim::Answers, Ok(run)) => run.stopped == Stopped::StopSymbol && run.output.iter().all(Option::is_some),
            (Claim::Copies(_), Ok(run)) => run.output.iter().all(|value| {
                value.is_some_and(|value| {
                    let text = task.vocabulary.show(Some(value));
                    text == stop || prompt.contains(&text)
                })
            }),
        }
    }

    fn last_position(&self, length: usize) -> usize {
        let task = self.runner.executable().task(&vec!["u"; length], &self.options).expect("a task");
        task.vocabulary.positions().len() - 1
    }

    /// Met symbols, at most three, and four free ones. `None` if more are met.
    fn pools(&self, last: usize) -> Option<(Vec<String>, Vec<String>)> {
        let met: Vec<String> = self.met.symbols(last).map(str::to_owned).collect();
        let free = CANDIDATES.into_iter().filter(|name| !self.met.has(name, last)).take(4);
        (met.len() <= 3).then(|| (met, free.map(str::to_owned).collect()))
    }

    /// Whether a claim holds for every prompt of at most `up_to` symbols of a pool. `None` if the pool is too large.
    fn holds_for_each(&self, claim: &Claim, up_to: usize, numbers: bool) -> Option<bool> {
        let last = self.last_position(up_to);
        let (mut pool, free) = self.pools(last)?;
        pool.extend(free);
        if self.met.positions && numbers {
            pool.extend((0..=last).map(|number| number.to_string()));
        }
        Some((1..=up_to).all(|length| words(&pool, length).all(|prompt| self.holds(claim, &prompt))))
    }

    /// Whether a claim holds for every prompt like `$a C $b..2 $a`. `None` if there are too many symbols.
    fn holds_for_each_like(&self, claim: &Claim, any: bool) -> Option<bool> {
        let (met, mut pool) = self.pools(self.last_position(5))?;
        if any {
            pool.extend(met);
        }
        Some((2..=3).all(|places| {
            words(&pool, places).all(|symbols| {
                let different = symbols.iter().collect::<BTreeSet<_>>().len() == places;
                let prompt = [&symbols[..1], &["C"], &symbols[1..], &symbols[..1]].concat();
                !any && !different || self.holds(claim, &prompt)
            })
        }))
    }
}

/// All words of this length over an alphabet.
fn words(alphabet: &[String], length: usize) -> impl Iterator<Item = Vec<&str>> {
    (0..alphabet.len().pow(u32::try_from(length).expect("few"))).map(move |number| {
        let digits = (0..length).scan(number, |rest, _| {
            let digit = *rest % alphabet.len();
            *rest /= alphabet.len();
            Some(digit)
        });
        digits.map(|digit| alphabet[digit].as_str()).collect()
    })
}

fn compare(seeds: u64, up_to: usize, numbers: bool) -> (u64, u64) {
    let (mut compared, mut proved, mut seed) = (0, 0, 0);
    while compared < seeds {
        seed += 1;
        let case = Case::random(seed);
        let claim = &CLAIMS[(seed % 5) as usize];
        if numbers && !case.met.positions {
            continue;
        }
        let Some(expected) = case.holds_for_each(claim, up_to, numbers) else { continue };
        let proof = case.prove(claim, &Wanted { up_to: Some(up_to), numbers, ..Wanted::default() });
        let holds = proof.counterexample.is_none();
        assert_eq!(holds, expected, "seed {seed}: {claim:?}: {proof:?}");
        assert_eq!(holds, proof.proved == up_to);
        if let Some(found) = &proof.counterexample {
            let prompt: Vec<&str> = found.prompt.split(' ').collect();
            assert!(!case.holds(claim, &prompt), "seed {seed}: {found:?}");
        }
        compared += 1;
        proved += u64::from(holds);
    }
    (compared, proved)
}

#[test]
fn proofs_agree_with_brute_force() {
    let (compared, proved) = compare(cases(40), 4, false);
    println!("{compared} programs: {proved} proved");
    assert!(proved > compared / 5 && proved < compared);
}

#[test]
fn proofs_about_a_pattern_agree_with_brute_force() {
    let (mut compared, mut proved, mut seed) = (0, [0, 0], 0);
    while compared < cases(60) {
        seed += 1;
        let (claim, any) = (&CLAIMS[(seed % 5) as usize], seed % 2 == 0);
        let mut case = Case::random(seed);
        case.met.values.insert("C".to_owned());
        let Some(expected) = case.holds_for_each_like(claim, any) else { continue };
        let like = vec![Law::pattern(any, "$a C $b..2 $a").expect("a pattern")];
        let proof = case.prove(claim, &Wanted { like, ..Wanted::default() });
        let holds = proof.counterexample.is_none();
        assert_eq!(holds, expected, "seed {seed}: {claim:?}, any: {any}: {proof:?}");
        compared += 1;
        proved[usize::from(any)] += u64::from(holds);
    }
    println!("{compared} programs: {proved:?} proved");
    assert!(proved.iter().all(|proved| (1..compared / 2).contains(proved)));
}

#[test]
fn proofs_with_numbers_agree_with_brute_force() {
    let (compared, proved) = compare(cases(20), 2, true);
    println!("{compared} programs: {proved} proved");
    assert!(proved > 0);
}

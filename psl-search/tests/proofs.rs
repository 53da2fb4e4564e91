//! Proofs against brute force: every prompt of a few met symbols, of free ones and of numbers.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../../psl-runtime/tests/common/common.rs"]
mod common;

use std::{collections::BTreeSet, mem::discriminant};

use psl_program::Runner;
use psl_runtime::{Executable, MachineKind, Options, Stopped, VerifyError};
use psl_search::{Against, Claim, OneThread, Proof, ShortPrompts, Wanted, prompts_of, prove};
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
    /// Another version of the program.
    other: Runner,
}

impl Case {
    fn new(program: Program) -> Self {
        let options = Options { max_new: program.max_new, stop: program.stop.clone(), ..Options::default() };
        let met = met_values(&program, options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        let other = Runner::of(Executable::new(program.clone()));
        Self { runner: Runner::of(Executable::new(program)), options, met, other }
    }

    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        program.stop = Some(random.choose(&["X", "."]).to_owned());
        program.max_new = Some(random.choose(&[1, 2, 3]));
        Self::new(program)
    }

    /// A random program and another version with one production more or one less, or with other stop symbol and length,
    /// which do not count.
    fn random_versions(seed: u64) -> Self {
        let case = Self::random(seed);
        let mut random = Random::new(seed);
        let mut other = case.runner.executable().program.clone();
        match random.below(5) {
            0 | 1 => random.echo(&mut other),
            2 | 3 => drop(other.statements.remove(random.below(other.statements.len() as u64) as usize)),
            _ => (other.stop, other.max_new) = (Some("C".to_owned()), Some(9)),
        }
        let mut met = case.met;
        let of_other = met_values(&other, case.options.stop.as_deref().unwrap_or(DEFAULT_STOP));
        met.values.extend(of_other.values);
        met.positions |= of_other.positions;
        Self { other: Runner::of(Executable::new(other)), met, ..case }
    }

    /// Whether both versions do the same for a prompt on the PSM.
    fn are_same(&self, prompt: &[&str], states: bool) -> bool {
        let run = |runner: &Runner| {
            let task = runner.executable().task(prompt, &self.options).expect("a task");
            let text = |value: &Option<_>| value.and_then(|value| task.vocabulary.text(value).map(str::to_owned));
            let run = runner.executable().run(MachineKind::Psm, &task, None).map_err(|error| discriminant(&error));
            run.map(|run| {
                let states = run.states.iter().filter(|_| states).flatten().map(text).collect::<Vec<_>>();
                (run.output.iter().map(text).collect::<Vec<_>>(), states)
            })
        };
        run(&self.runner) == run(&self.other)
    }

    fn prove(&self, claim: &Claim, wanted: &Wanted) -> Proof {
        let prompts = ShortPrompts::new(&[self.runner.executable()], &self.options, wanted).expect("prompts");
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

/// Checks that only prompts with a met value refute that no cell attends to a later one.
#[track_caller]
fn check_met(program: &str, numbers: bool, counterexample: &str) {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', one: 'o', other: 't'}}\nconstants: {{A, B}}\n\
         system: {{symbol: symbol, position: position, output: one}}\n//@ max-new 1\n{program}"
    );
    let case = Case::new(common::program(&text));
    let proof = case.prove(&Claim::Causal, &Wanted { up_to: Some(2), numbers, ..Wanted::default() });
    assert_eq!(proof.counterexample.map(|it| it.prompt).as_deref(), Some(counterexample), "{program}");
    assert_eq!(case.holds_for_each(&Claim::Causal, 2, numbers), Some(false));
    let free = ["u", "7", "EOP", "B"].map(str::to_owned);
    assert!((1..=2).all(|length| words(&free, length).all(|prompt| case.holds(&Claim::Causal, &prompt))), "{program}");
}

#[test]
fn a_value_is_met_in_a_block_without_changes() {
    let swap = "where position[N] == position[N]:\n    one[N] = symbol[N]\n    other[N] = A\nrepeat:\n    \
                where position[N] == position[N]:\n        one[N] = other[N]\n        other[N] = one[N]\nuntil NO_CHANGE\n\
                where position[n] == position[N]@pos_increment:\n    other[N] = B\n";
    check_met(swap, false, "A A");
}

#[test]
fn a_number_is_met_by_a_function() {
    check_met("where position[n] == symbol[N]@pos_increment:\n    other[N] = B\n", true, "1 a");
}

/// Compares the verdicts on two versions with brute force over prompts of at most three symbols.
#[test]
fn equal_versions_agree_with_brute_force() {
    let (mut compared, mut proved, mut seed) = (0, [0, 0], 0);
    while compared < cases(80) {
        seed += 1;
        let (case, states) = (Case::random_versions(seed), seed % 2 == 0);
        let Some((mut pool, free)) = case.pools(case.last_position(3)) else { continue };
        pool.extend(free);
        let expected = (1..=3).all(|length| words(&pool, length).all(|prompt| case.are_same(&prompt, states)));
        let wanted = Wanted { up_to: Some(3), ..Wanted::default() };
        let programs = [case.runner.executable(), case.other.executable()];
        let prompts = ShortPrompts::new(&programs, &case.options, &wanted).expect("prompts");
        let statement =
            if states { Against::with_states(&case.runner, &case.other) } else { Against::new(&case.other) };
        let proof = prove(&case.runner, &statement, &prompts, &OneThread).expect("a proof");
        let holds = proof.counterexample.is_none();
        assert_eq!(holds, expected, "seed {seed}, states: {states}: {proof:?}");
        if let Some(found) = &proof.counterexample {
            assert!(!case.are_same(&found.prompt.split(' ').collect::<Vec<_>>(), states), "seed {seed}: {found:?}");
        }
        compared += 1;
        proved[usize::from(states)] += u64::from(holds);
    }
    println!("{compared} pairs: {proved:?} proved");
    assert!(proved.iter().all(|proved| *proved > compared / 20) && proved.iter().sum::<u64>() < compared, "{proved:?}");
}

/// The prompts of tests with other symbols, for a program with tests and at most this many prompts of each.
#[track_caller]
fn check_renamed(tests: &str, few_per_test: u64, prompts: &[&str], in_words: &str) {
    let text = format!(
        "{tests}registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, B}}\n\
         system: {{symbol: symbol, position: position, output: symbol}}\nwhere symbol[N] == A:\n    symbol[N] = B\n"
    );
    let checked = psl_syntax::read(text);
    assert!(checked.compiles(), "{:?}", checked.diagnostics);
    let runner = Runner::new(&checked.analysis.program);
    let tests = checked.analysis.program.tests.iter().map(prompts_of).collect();
    let wanted = Wanted { up_to: Some(1), tests, few_per_test, ..Wanted::default() };
    let found = ShortPrompts::new(&[runner.executable()], &Options::default(), &wanted).expect("prompts");
    // The short ones are those of one symbol: `A`, `.` and any other.
    let renamed: Vec<String> = found.prompts().skip(3).map(|prompt| prompt.join(" ")).collect();
    assert_eq!(renamed, prompts);
    assert_eq!(found.tests_in_words(found.shapes().len()).as_deref(), Some(in_words));
}

#[test]
fn prompts_of_tests_have_other_symbols() {
    let test = "//@ test \"x A y x\" => \"B\"\n";
    check_renamed(test, 1, &["x A y x"], "the prompts of 1 test with other, different symbols");
    let one = ["x A y x", "x A . x", "x A A x", "x A x x", ". A y .", "A A y A"];
    check_renamed(test, 6, &one, "the prompts of 1 test with other symbols and up to one more equality");
    let any = [&one[..], &[". A . .", ". A A .", "A A . A", "A A A A"]].concat();
    check_renamed(test, 10, &any, "the prompts of 1 test with any other symbols");
    // Each prompt of a law has its own symbols.
    let law = "//@ law \"$x..2 A\" => \"B\"\n";
    check_renamed(law, 2, &["x A", "x1 x2 A"], "the prompts of 1 test with other, different symbols");
    let both = format!("{test}{law}");
    let of_both = [&one[..], &["x A", ". A", "A A", "x1 x2 A"]].concat();
    let in_words = "the prompts of 2 tests with other symbols: 1 with different ones, 1 with up to one more equality";
    check_renamed(&both, 6, &of_both, in_words);
}

//! Mutants: what tests notice, what is proved equal, and what tells the others apart.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail by panic"
)]

#[path = "../../psl-runtime/tests/common/common.rs"]
mod common;

use std::{
    collections::BTreeMap,
    mem::discriminant,
    sync::{Arc, atomic::AtomicBool},
};

use psl_program::{Config, File};
use psl_runtime::{Continuation, Executable, MachineKind, Options, compile, decompile};
use psl_search::{Change, Fate, Killer, MutationTest, NoSearch, OneThread, Workers};
use psl_syntax::{program::RegisterId, read, token::quote};

use crate::common::{cases, random::Random};

fn file(text: &str) -> File {
    File::new(text, Arc::new(Config::default()))
}

fn mutation_test(file: &File) -> Result<MutationTest<'_>, NoSearch> {
    MutationTest::new(file, &[], &OneThread, &Arc::new(AtomicBool::new(false)))
}

fn in_words(fate: Option<Fate>) -> String {
    match fate.expect("a fate") {
        Fate::Invalid => "does not compile".to_owned(),
        Fate::Killed { by: Killer::Test(index), endless: false } => format!("test {}", index + 1),
        Fate::Killed { by: Killer::Test(index), endless: true } => format!("test {} does not end", index + 1),
        Fate::Killed { by: Killer::Data(index), .. } => format!("line {}", index + 1),
        Fate::Equal => "equal".to_owned(),
        Fate::EqualUpTo { .. } => "equal up to a length".to_owned(),
        Fate::ToldApart(told) => {
            let [expected, got] =
                [&told.expected, &told.got].map(|it| it.as_ref().map_or("fails".into(), Continuation::text));
            format!("{} => {expected}, not {got}", told.prompt)
        }
        Fate::Unknown => "unknown".to_owned(),
    }
}

/// Compares the mutants of a program with the lines `description: fate`.
fn check(text: &str, expected: &str) {
    let file = file(text);
    let trials = mutation_test(&file).expect("a program whose tests pass");
    let mutants = trials.mutants(false, &OneThread);
    let fates = trials.fates(&mutants.iter().collect::<Vec<_>>(), &OneThread);
    let found: Vec<String> =
        mutants.iter().zip(fates).map(|(mutant, fate)| format!("{}: {}", mutant.description, in_words(fate))).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "{found:#?}");
}

const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
     system: {symbol: symbol, position: position, output: mark}\n//@ max-new 1\n";

#[test]
fn mutants_of_a_production() {
    check(
        &format!("{DECLARATIONS}//@ test \"A\" => \"B\"\nwhere symbol[N] == A: mark[N] = B"),
        "
        Attend to the rightmost of the matching cells: equal
        Replace `symbol` with `position`: test 1
        Replace `symbol` with `mark`: test 1
        Replace `N` with `n`: A a => ∅, not B
        Replace `==` with `!=`: test 1
        Replace `A` with `B`: test 1
        Replace `mark` with `symbol`: test 1
        Replace `mark` with `position`: does not compile
        Replace `B` with `A`: test 1
        ",
    );
}

#[test]
fn a_law_notices_more_than_its_shortest_prompt() {
    let program = "where symbol[N] != A: mark[N] = symbol[N]\nwhere symbol[N] == A: mark[N] = A";
    check(
        &format!("{DECLARATIONS}//@ law any \"$x\" => \"$x\"\n{program}"),
        "
        Attend to the rightmost of the matching cells: equal
        Leave out the production `where symbol[N] != A`: test 1
        Replace `symbol` with `position`: equal up to a length
        Replace `symbol` with `mark`: test 1
        Replace `N` with `n`: does not compile
        Replace `!=` with `==`: test 1
        Replace `A` with `B`: test 1
        Replace `mark` with `symbol`: test 1
        Replace `mark` with `position`: does not compile
        Replace `symbol` with `position`: test 1
        Replace `symbol` with `mark`: test 1
        Replace `N` with `n`: does not compile
        Attend to the rightmost of the matching cells: equal
        Swap the productions `where symbol[N] != A` and `where symbol[N] == A`: equal up to a length
        Leave out the production `where symbol[N] == A`: test 1
        Replace `symbol` with `position`: test 1
        Replace `symbol` with `mark`: test 1
        Replace `N` with `n`: A . => ., not A
        Replace `==` with `!=`: test 1
        Replace `A` with `B`: test 1
        Replace `mark` with `symbol`: test 1
        Replace `mark` with `position`: does not compile
        Replace `A` with `B`: test 1
        ",
    );
}

#[test]
fn a_mutant_without_end_is_killed() {
    check(
        &format!(
            "{DECLARATIONS}//@ test \"A\" => \"B\"\nrepeat:\n    where symbol[N] == A: mark[N] = B\nuntil mark[N] == B"
        ),
        "
        Attend to the rightmost of the matching cells: equal
        Replace `symbol` with `position`: test 1 does not end
        Replace `symbol` with `mark`: test 1 does not end
        Replace `N` with `n`: A a => ∅, not B
        Replace `==` with `!=`: test 1 does not end
        Replace `A` with `B`: test 1 does not end
        Replace `mark` with `symbol`: test 1 does not end
        Replace `mark` with `position`: does not compile
        Replace `B` with `A`: test 1 does not end
        Replace `mark` with `symbol`: test 1 does not end
        Replace `mark` with `position`: test 1 does not end
        Repeat until nothing changes: a => fails, not ∅
        Replace `N` with `n`: equal up to a length
        Replace `==` with `!=`: test 1 does not end
        Replace `B` with `A`: test 1 does not end
        ",
    );
}

/// Checks which mutants are proved equal, by the text alone, each as `description`.
fn equal(program: &str, expected: &str) {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm', other: 'o'}}\nconstants: {{A, B}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n//@ max-new 1\n//@ test \"A\" => \"B\"\n{program}"
    );
    let file = file(&text);
    let trials = mutation_test(&file).expect("a program whose tests pass");
    let mutants = trials.mutants(false, &OneThread);
    let fates = trials.fates(&mutants.iter().collect::<Vec<_>>(), &OneThread);
    let found = mutants.iter().zip(fates).filter(|(_, fate)| *fate == Some(Fate::Equal));
    let found: Vec<&str> = found.map(|(mutant, _)| mutant.description.as_str()).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "{found:#?}");
}

#[test]
fn an_equal_register_can_be_read_in_place_of_another() {
    equal(
        "where symbol[n] == symbol[N] and position[n] == position[N] and symbol[N] == A: mark[N] = B",
        "
        Attend to the rightmost of the matching cells
        Leave out the condition `symbol[n] == symbol[N]`
        Replace `N` with `n`
        ",
    );
}

#[test]
fn registers_that_nothing_reads_and_layers_that_do_not_meet() {
    equal(
        "where symbol[N] == B: other[N] = A\nwhere symbol[N] == A: mark[N] = B",
        "
        Attend to the rightmost of the matching cells
        Leave out the production `where symbol[N] == B`
        Replace `symbol` with `position`
        Replace `symbol` with `mark`
        Replace `symbol` with `other`
        Replace `N` with `n`
        Replace `==` with `!=`
        Replace `B` with `A`
        Replace `A` with `B`
        Attend to the rightmost of the matching cells
        Swap the productions `where symbol[N] == B` and `where symbol[N] == A`
        ",
    );
}

fn refused(text: &str) -> String {
    mutation_test(&file(text)).err().expect("a reason").to_string()
}

#[test]
fn a_search_that_is_stopped_at_once_tries_nothing() {
    let many = "A ".repeat(600);
    let program = "where symbol[n] == symbol[N] and position[n] != position[N]: mark[N] = B";
    let file = file(&format!("{DECLARATIONS}//@ test \"{many}\" => \"B\"\n{program}"));
    let stopped = Arc::new(AtomicBool::new(true));
    let trials = MutationTest::new(&file, &[], &Stopped, &stopped).expect("a test that did not fail");
    let mutants = trials.mutants(false, &Stopped);
    let fates = trials.fates(&mutants.iter().collect::<Vec<_>>(), &Stopped);
    assert!(!fates.is_empty() && fates.iter().all(Option::is_none), "{fates:?}");
}

/// Workers whose time is up.
struct Stopped;

impl Workers for Stopped {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }

    fn stopped(&self) -> bool {
        true
    }

    fn tried(&self) {}
}

#[test]
fn refused_programs() {
    let with = |rest: &str| refused(&format!("{DECLARATIONS}{rest}"));
    let production = "where symbol[N] == A: mark[N] = B";
    assert_eq!(with(&format!("//@ test \"A\" => \"A\"\n{production}")), "test 1 fails: mutants need tests that pass");
    assert_eq!(
        with(&format!("//@ test \"A\" => \"B\"\n//@ law ends \"$x\" => \"B\"\n{production}")),
        "the law `ends` fails: mutants need tests that pass"
    );
    assert_eq!(
        with("//@ test \"A\" => \"B\"\nwhere symbol[N] == ?: mark[N] = B"),
        "the program has holes: `psl fill` searches for what belongs there"
    );
    assert!(with(production).starts_with("the program has no tests"));
    assert_eq!(with("where symbol[N] = A: mark[N] = B"), "the program has errors");
}

/// A random program with a test that passes, of a row in some cases, and the options of its run. `None` if it fails or
/// has no form as a text.
fn random_program(random: &mut Random) -> Option<(String, Options)> {
    let mut program = random.program();
    random.echo(&mut program);
    let text = decompile(&compile(&program)).ok()?;
    let answer = random.percent(30).then(|| RegisterId::new(random.below(program.registers.len() as u64) as usize));
    let options = Options { max_new: Some(3), answer, ..Options::default() };
    let prompt = random.prompt();
    let executable = Executable::new(program);
    let task = executable.task(&prompt, &options).expect("a task");
    let run = executable.run(MachineKind::Psm, &task, None).ok()?;
    let gold = Continuation::new(&run, &task.vocabulary).text();
    let name = answer.map(|answer| &executable.registers.long[answer.index()]);
    let header = name.map_or_else(|| "//@ max-new 3".to_owned(), |name| format!("//@ answer {name}"));
    let row = if answer.is_some() { "row " } else { "" };
    let header = format!("{header}\n//@ test {row}{} => {}\n", quote(&prompt.join(" ")), quote(&gold));
    let text = format!("{header}{text}");
    let checked = read(text.as_str());
    (checked.compiles() && !checked.analysis.program.tests.is_empty()).then_some((text, options))
}

/// The continuation or row on the PSM, or the kind of failure.
fn continuation(executable: &Executable, prompt: &[&str], options: &Options) -> String {
    let task = executable.task(prompt, options).expect("a task");
    let run = executable.run(MachineKind::Psm, &task, None);
    run.map_or_else(
        |error| format!("{:?}", discriminant(&error)),
        |run| Continuation::new(&run, &task.vocabulary).text(),
    )
}

#[test]
fn fates_are_those_of_brute_force() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..cases(30) {
        let mut random = Random::new(seed);
        let Some((text, options)) = random_program(&mut random) else { continue };
        *counts.entry("with a row").or_default() += usize::from(options.answer.is_some());
        let file = file(&text);
        let Ok(trials) = mutation_test(&file) else { continue };
        let mutants = trials.mutants(false, &OneThread);
        let some: Vec<&Change> = (0..20).map(|_| &mutants[random.below(mutants.len() as u64) as usize]).collect();
        let original = Executable::new(file.program().clone());
        for (mutant, fate) in some.iter().zip(trials.fates(&some, &OneThread)) {
            let changed = read(mutant.apply(&text).expect("its text"));
            let place = format!("seed {seed}: {}\n{text}", mutant.description);
            let executable = || Executable::new(changed.analysis.program.clone());
            let of = |executable: &Executable, prompt: &[&str]| continuation(executable, prompt, &options);
            let differs = |prompt: &[&str]| of(&original, prompt) != of(&executable(), prompt);
            let words = |prompt: &str| differs(&prompt.split(' ').collect::<Vec<_>>());
            let kind = match fate.expect("a fate") {
                Fate::Invalid => {
                    assert!(!changed.compiles(), "{place}");
                    "invalid"
                }
                Fate::Killed { .. } => {
                    let prompt = &file.program().tests[0].prompt;
                    let psl_syntax::program::TestPrompt::Plain(prompt) = prompt else { panic!("{prompt:?}") };
                    assert!(words(prompt), "{place}");
                    "killed"
                }
                Fate::ToldApart(told) => {
                    assert!(words(&told.prompt), "{told:?}\n{place}");
                    "told apart"
                }
                Fate::Equal => {
                    for _ in 0..40 {
                        let prompt = random.prompt();
                        assert!(!differs(&prompt), "{prompt:?}\n{place}");
                    }
                    "equal"
                }
                Fate::EqualUpTo { symbols, without_numbers } => {
                    for _ in 0..40 {
                        let mut prompt = random.prompt();
                        prompt.truncate(symbols);
                        let has_numbers = prompt.iter().any(|symbol| symbol.parse::<u32>().is_ok());
                        assert!(has_numbers && without_numbers || !differs(&prompt), "{prompt:?}\n{place}");
                    }
                    "equal up to"
                }
                Fate::Unknown => "unknown",
            };
            *counts.entry(kind).or_default() += 1;
        }
    }
    for kind in ["with a row", "invalid", "killed", "told apart", "equal", "equal up to"] {
        assert!(counts.get(kind).is_some_and(|count| *count as u64 > cases(30) / 10), "{kind}: {counts:?}");
    }
}

//! Laws against brute force: every assignment of met symbols, of free ones and of numbers to the variables of a law.

use std::collections::{BTreeSet, HashSet};

use psl_program::{
    Runner,
    laws::{Decided, Equality, Trial, search},
};
use psl_runtime::{Executable, MachineKind, Options};
use psl_syntax::{
    Program,
    domains::{MetValues, met_values},
    law::{Law, LawWord, Variable},
    program::{DEFAULT_STOP, Operand, Production, RegisterId, Select, Statement, TestCase, TestPrompt, Until},
};

use crate::common::{self, cases, random::Random};

/// Free symbols that programs do not mention, that they declare, that the machine writes, and numbers, unless a program
/// meets them.
const CANDIDATES: [&str; 14] = ["u", "1", "EOP", "2", "A", "v", "B", "7", "X", "02", "99", "C", "∅", "w"];

/// A program with a law about it.
struct Case {
    program: Program,
    law: Law,
    options: Options,
}

/// Runs a prompt. `None` if the run fails.
type Machine<'m> = &'m dyn Fn(&[&str]) -> Option<Vec<Option<String>>>;

impl Case {
    /// A random program, some with layers of several heads. In most laws, the continuation is that of the shortest
    /// prompt.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut program = random.program();
        random.echo(&mut program);
        if random.percent(20) {
            share_layers(&mut program.statements, &mut random);
        }
        program.stop = Some(random.choose(&["X", "."]).to_owned());
        program.max_new = Some(random.choose(&[1, 2, 3, 4]));
        let variables = 1 + random.below(3) as usize;
        let mut prompt: Vec<LawWord> = (0..variables).map(LawWord::Variable).collect();
        for _ in 0..random.below(4) {
            let word = if random.percent(50) {
                LawWord::Variable(random.below(variables as u64) as usize)
            } else {
                LawWord::Symbol(random.choose(&["A", "C", "2", "EOP", "s"]).to_owned())
            };
            prompt.insert(random.below(prompt.len() as u64 + 1) as usize, word);
        }
        // The places of all variables together are at most three.
        let first = [1, 1 + random.below(2) as usize, 1 + random.below(3) as usize][3 - variables];
        let longest = |index: usize| if index == 0 { first } else { 1 };
        let names = ["a", "b", "c"].into_iter().take(variables).enumerate();
        let variables =
            names.map(|(index, name)| Variable { name: name.to_owned(), longest: longest(index) }).collect();
        program.answer =
            random.percent(30).then(|| RegisterId::new(random.below(program.registers.len() as u64) as usize));
        let row = program.answer.is_some();
        let law = Law { any: random.percent(50), row, variables, prompt, gold: Vec::new() };
        let (stop, max_new, answer) = (program.stop.clone(), program.max_new, program.answer);
        let options = Options { stop, max_new, answer, ..Options::default() };
        let mut case = Self { program, law, options };
        case.law.gold = case.gold(&mut random);
        case
    }

    /// The continuation of the shortest prompt, with variables in place of their symbols.
    fn gold(&self, random: &mut Random) -> Vec<LawWord> {
        let executable = Executable::new(self.program.clone());
        let symbols: Vec<Vec<String>> =
            (0..self.law.variables.len()).map(|index| vec![format!("free{index}")]).collect();
        let run = self.run(&executable)(&self.law.prompt_of(&symbols)).unwrap_or_default();
        let word = |value: Option<String>| match value {
            None => LawWord::Null,
            Some(text) => match symbols.iter().position(|own| own[0] == text) {
                Some(index) => LawWord::Variable(index),
                None => LawWord::Symbol(text),
            },
        };
        let mut gold: Vec<LawWord> = run.into_iter().map(word).collect();
        if random.percent(10) {
            gold.push(LawWord::Variable(0));
        }
        gold
    }

    fn written(program: &str, any: bool, prompt: &str, gold: &str) -> Self {
        let any = if any { " any" } else { "" };
        let text = format!("//@ law{any} \"{prompt}\" => \"{gold}\"\n{program}");
        let program = common::program(&text);
        let law = program.tests[0].law.clone().expect("a law");
        let options = Options { stop: program.stop.clone(), max_new: program.max_new, ..Options::default() };
        Self { program, law, options }
    }

    fn run<'r>(&'r self, executable: &'r Executable) -> impl Fn(&[&str]) -> Option<Vec<Option<String>>> + 'r {
        |prompt| {
            let task = executable.task(prompt, &self.options).expect("a task");
            let run = executable.run(MachineKind::Dat, &task, None).ok()?;
            Some(run.output.iter().map(|value| value.map(|it| task.vocabulary.show(Some(it)).to_owned())).collect())
        }
    }

    fn met(&self, program: &Program) -> MetValues {
        met_values(program, self.options.stop.as_deref().unwrap_or(DEFAULT_STOP))
    }

    /// The greatest position of a run.
    fn last_position(&self) -> usize {
        let places = self.law.variables.iter().map(|variable| vec!["x"; variable.longest]).collect::<Vec<_>>();
        let prompt = self.law.prompt_of(&places);
        let executable = Executable::new(self.program.clone());
        executable.task(&prompt, &self.options).expect("a task").vocabulary.positions().len() - 1
    }
}

/// Some productions share the layer of the one before, even if they affect each other.
fn share_layers(statements: &mut [Statement], random: &mut Random) {
    let mut after = false;
    for statement in statements {
        match statement {
            Statement::Production(production) => {
                production.shares_layer = after && random.percent(50);
                after = true;
            }
            Statement::Repeat(repeat) => {
                share_layers(&mut repeat.body, random);
                after = false;
            }
        }
    }
}

/// The verdict of a law by runs for some met values, against every assignment of the symbols of a pool. Returns the
/// verdict, or in words where the two differ. `None` if the pool would be too large.
fn compare(case: &Case, met: &MetValues, machine: Machine<'_>) -> Option<Result<bool, String>> {
    let law = &case.law;
    let last = case.last_position();
    let positions = MetValues { positions: met.positions, ..MetValues::default() };
    let words: BTreeSet<&str> = met.values.iter().map(String::as_str).chain(law.literals()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !positions.has(word, last)).collect();
    let is_free = |name: &str| !met.has(name, last) && !law.literals().any(|literal| literal == name);
    let places: usize = law.variables.iter().map(|variable| variable.longest).sum();
    // With two places, met numbers are tried, too.
    let numbers = 0..if met.positions && places <= 2 { last + 1 } else { 0 };
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    if words.len() > 3 {
        return None;
    }
    let met_symbols: Vec<&str> = words.iter().copied().chain(numbers.iter().map(String::as_str)).collect();
    let free: Vec<&str> = CANDIDATES.into_iter().filter(|name| is_free(name)).take(5).collect();
    let holds = |trial: &Trial<'_>| {
        let expected: Vec<Option<String>> = trial.gold.iter().map(|it| it.map(str::to_owned)).collect();
        machine(&trial.prompt) == Some(expected)
    };
    let names = |lengths: &[usize]| Ok::<_, ()>(law.names(lengths, is_free));
    let found = search(law, &met_symbols, names, |trial| Ok(holds(trial))).expect("no error");
    let verdict = found.refuted.is_none();
    let pool: Vec<&str> = free.iter().copied().chain(met_symbols.iter().copied().filter(|_| law.any)).collect();
    let mut all = true;
    for lengths in law.lengths() {
        let places: usize = lengths.iter().sum();
        let mut first = None;
        for number in 0..pool.len().pow(u32::try_from(places).expect("few")) {
            let digits = (0..places).scan(number, |rest, _| {
                let digit = *rest % pool.len();
                *rest /= pool.len();
                Some(digit)
            });
            let assigned: Vec<&str> = digits.map(|digit| pool[digit]).collect();
            let different = assigned.iter().collect::<HashSet<_>>().len() == places;
            if !law.any && !different {
                continue;
            }
            let mut left = assigned.into_iter();
            let symbols: Vec<Vec<&str>> = lengths.iter().map(|&length| left.by_ref().take(length).collect()).collect();
            let trial = Trial { prompt: law.prompt_of(&symbols), gold: law.gold_of(&symbols), symbols: &symbols };
            let right = holds(&trial);
            all &= right;
            // Different free symbols are alike.
            if !law.any && *first.get_or_insert(right) != right {
                return Some(Err(format!("for these lengths, `{}` is unlike the others", trial.prompt.join(" "))));
            }
        }
    }
    Some(if all == verdict { Ok(verdict) } else { Err(format!("{found:?}, but by each assignment: {all}")) })
}

#[test]
fn laws_agree_with_brute_force() {
    let (mut compared, mut holding, mut with_any, mut with_numbers, mut rows) = (0, 0, 0, 0, 0);
    let mut seed = 0;
    while compared < cases(500) {
        seed += 1;
        let case = Case::random(seed);
        let executable = Executable::new(case.program.clone());
        let met = case.met(&case.program);
        let run = case.run(&executable);
        let Some(compared_with) = compare(&case, &met, &run) else { continue };
        let verdict = compared_with.unwrap_or_else(|difference| panic!("seed {seed}: {difference}: {:?}", case.law));
        compared += 1;
        holding += u64::from(verdict);
        rows += u64::from(verdict && case.law.row);
        with_any += u64::from(verdict && case.law.any);
        with_numbers += u64::from(met.positions);
        if !case.law.any || !met.positions {
            assert_eq!(decide(&case), verdict, "seed {seed}: {:?}", case.law);
        }
    }
    println!(
        "{compared} laws: {holding} hold, {rows} with rows, {with_any} for all symbols, {with_numbers} of programs that meet numbers"
    );
    assert!(
        rows > compared / 20 && holding > compared / 10 && with_any > compared / 50 && with_numbers > compared / 10
    );
}

/// The verdict of the program's runner.
fn decide(case: &Case) -> bool {
    let test = TestCase {
        span: psl_syntax::Span::default(),
        name: None,
        prompt: TestPrompt::Plain(String::new()),
        gold: String::new(),
        row: case.law.row,
        law: Some(case.law.clone()),
    };
    let runner = Runner::of(Executable::new(case.program.clone()));
    match runner.decide(&test, MachineKind::Dat, &|| false, u64::MAX).expect("a verdict") {
        Decided::Law(verdict) => verdict.refutation.is_none(),
        Decided::Test | Decided::No => panic!("a law is decided"),
    }
}

/// Checks the equalities that break a law of any symbols, and those that do together. `A` is met, and `breaks` gets the
/// symbols of each variable.
#[track_caller]
fn check_equalities(
    prompt: &str,
    breaks: impl Fn(&[Vec<&str>]) -> bool,
    equalities: &[Equality],
    pairs: &[[Equality; 2]],
) {
    let law = Law::pattern(true, prompt).expect("a pattern");
    let names = |lengths: &[usize]| Ok::<_, ()>(law.names(lengths, |name| name != "A"));
    let found = search(&law, &["A"], names, |trial| Ok(!breaks(trial.symbols))).expect("no error");
    let refuted = found.refuted.expect("symbols that break it");
    assert_eq!((&*refuted.equalities, &*refuted.pairs), (equalities, pairs));
}

#[test]
fn equalities_break_a_law_together() {
    let is_a = |variable: usize| Equality::Met(variable, "A".to_owned());
    let breaks = |it: &[Vec<&str>]| it[0] == it[1] || it[0] == ["A"] && it[2] == ["A"];
    check_equalities("$a $b $c", breaks, &[Equality::Variables(0, 1)], &[[is_a(0), is_a(2)]]);
    // Two symbols that are `A` are equal to each other, too.
    let breaks = |it: &[Vec<&str>]| it[0] == it[1] || it[1] == it[2] || it[1] == ["A"] && it[2] == ["A"];
    check_equalities("$a $b $c", breaks, &[Equality::Variables(1, 2), Equality::Variables(0, 1)], &[]);
    // A pair is the same in either order: two other symbols are equal before or after the `A`.
    let either = |it: &[Vec<&str>]| {
        let others: Vec<&&str> = it[0].iter().filter(|it| **it != "A").collect();
        it[1] == ["A"] || it[0].len() == 3 && others.len() == 2 && others[0] == others[1]
    };
    check_equalities("$a..3 $b", either, &[is_a(1)], &[[is_a(0), Equality::Variables(0, 0)]]);
    let twice = |it: &[Vec<&str>]| it[1] == ["A"] || it[0].iter().filter(|it| **it == "A").count() == 2;
    check_equalities("$a..2 $b", twice, &[is_a(1)], &[[is_a(0), is_a(0)]]);
}

/// The block swaps a symbol and a position until nothing changes, which ends only for the symbol that is this position.
const SWAP: &str = "//@ max-new 1\n\
    registers: {symbol: 's', position: 'p', one: 'o', other: 't'}\n\
    system: {symbol: symbol, position: position, output: symbol}\n\
    where position[N] == position[N]:\n    one[N] = symbol[N]\n    other[N] = position[N]\n\
    repeat:\n    where position[N] == position[N]:\n        one[N] = other[N]\n        other[N] = one[N]\n\
    until NO_CHANGE\n";

/// The next number, where there is one.
const INCREMENT: &str = "//@ max-new 1\n\
    registers: {symbol: 's', position: 'p', out: 'o'}\n\
    constants: {none}\n\
    system: {symbol: symbol, position: position, output: out}\n\
    where symbol[N] == symbol[N]:\n    out[N] = none\n\
    where symbol[N] == symbol[N]:\n    out[N] = symbol[N]@pos_increment\n";

/// The last symbol, twice.
const COPY: &str = "//@ max-new 2\n\
    registers: {symbol: 's', position: 'p'}\n\
    system: {symbol: symbol, position: position, output: symbol}\n\
    where symbol[N] == symbol[N]:\n    symbol[N] = symbol[N]\n";

/// Checks that the rule is right about a law, and that a rule with a fault is found to be wrong.
fn check_fault(case: &Case, faulty: &MetValues) {
    let executable = Executable::new(case.program.clone());
    let run = case.run(&executable);
    let met = case.met(&case.program);
    assert!(compare(case, &met, &run).is_some_and(|compared| compared.is_ok()), "{met:?}");
    assert!(compare(case, faulty, &run).is_some_and(|compared| compared.is_err()), "{faulty:?}");
}

#[test]
fn a_rule_without_no_change_is_found() {
    let case = Case::written(SWAP, false, "$a", "$a");
    let mut without = case.program.clone();
    for statement in &mut without.statements {
        if let Statement::Repeat(repeat) = statement {
            repeat.until = Until::Conditions(Vec::new());
        }
    }
    check_fault(&case, &case.met(&without));
}

#[test]
fn a_rule_without_functions_is_found() {
    let case = Case::written(INCREMENT, false, "$a", "none");
    let mut without = case.program.clone();
    for statement in &mut without.statements {
        if let Statement::Production(Production { assignments, .. }) = statement {
            assignments.retain(|it| !matches!(it.source, Operand::Register(_, Some(_))));
        }
    }
    check_fault(&case, &case.met(&without));
}

/// The heads of a layer write a symbol and `A`, which fails unless the symbol is `A`.
const HEADS: &str = "//@ max-new 1\n\
    registers: {symbol: 's', position: 'p', out: 'o'}\n\
    constants: {A}\n\
    system: {symbol: symbol, position: position, output: out}\n\
    where position[N] == position[N]:\n    out[N] = symbol[N]\n\
    where position[N] == position[N]:\n    out[N] = A\n";

#[test]
fn a_rule_without_the_heads_of_a_layer_is_found() {
    let mut case = Case::written(HEADS, false, "$a", "$a");
    let without = case.met(&case.program);
    let Some(Statement::Production(second)) = case.program.statements.last_mut() else { panic!("a production") };
    second.shares_layer = true;
    check_fault(&case, &without);
}

#[test]
fn a_rule_without_the_stop_symbol_is_found() {
    let case = Case::written(&format!("//@ stop \"A\"\n{COPY}"), false, "$a", "$a $a");
    let without = MetValues::default();
    assert_ne!(case.met(&case.program), without);
    check_fault(&case, &without);
}

/// A machine whose selection depends on a value: with `u` in front, leftmost and rightmost are exchanged.
#[test]
fn a_value_that_leaks_into_selection_is_found() {
    let found = |seed: u64| {
        let case = Case::random(seed);
        let executable = Executable::new(case.program.clone());
        let mut exchanged = case.program.clone();
        exchange(&mut exchanged.statements);
        let exchanged = Executable::new(exchanged);
        let (run, leaking) = (case.run(&executable), case.run(&exchanged));
        let machine = |prompt: &[&str]| if prompt[0] == "u" { leaking(prompt) } else { run(prompt) };
        compare(&case, &case.met(&case.program), &machine).is_some_and(|compared| compared.is_err())
    };
    assert!((1..400).any(found));
}

fn exchange(statements: &mut [Statement]) {
    for statement in statements {
        match statement {
            Statement::Production(production) => {
                production.select = match production.select {
                    Select::Leftmost => Select::Rightmost,
                    Select::Rightmost => Select::Leftmost,
                };
            }
            Statement::Repeat(repeat) => exchange(&mut repeat.body),
        }
    }
}

/// The rule on programs of one condition or assignment.
fn check_met(program: &str, expected: &str) {
    let program = common::program(&format!(
        "registers: {{symbol: 's', position: 'p', parse: 'a', mark: 'm', copy: 'c'}}\nconstants: {{A, B, C, 7}}\n\
         system: {{symbol: symbol, position: position, parse: parse, output: symbol}}\n{program}"
    ));
    let MetValues { values, positions } = met_values(&program, ".");
    let numbers = positions.then_some("numbers");
    assert_eq!(values.iter().map(String::as_str).chain(numbers).collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn symbols_meet_what_they_are_compared_with() {
    check_met("where symbol[N] == A:\n    mark[N] = B\n", ". A");
    check_met("where symbol[n] in [A, 7]:\n    mark[N] = B\n", ". 7 A");
    check_met("where mark[n] not in [A, B]:\n    mark[N] = B\n", ".");
    check_met("where symbol[n] != mark[N]:\n    mark[N] = B\n    copy[N] = C\n", ". B");
    check_met("where symbol[n] == parse[N]:\n    mark[N] = B\n", ". 1");
    check_met("where symbol[n] == symbol[N]:\n    mark[N] = A\nwhere mark[n] == B:\n    mark[N] = symbol[n]\n", ". B");
    check_met("where symbol[n] == position[N]:\n    mark[N] = A\n", ". numbers");
    check_met("where mark[n] == symbol[N]@pos_increment:\n    mark[N] = A\n", ". numbers");
    check_met("where mark[N] == A:\n    symbol[N] = symbol[N]@pos_decrement\n", ". numbers");
    check_met("repeat:\n    where mark[N] == B:\n        mark[N] = A\nuntil NO_CHANGE\n", ".");
    check_met("repeat:\n    where mark[N] == A:\n        symbol[N] = B\nuntil NO_CHANGE\n", ". B");
    check_met("repeat:\n    where mark[N] == A:\n        mark[N] = B\nuntil symbol[N] == C\n", ". C");
}

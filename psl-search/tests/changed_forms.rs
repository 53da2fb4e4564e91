//! Refactorings and schedules do what the program did, for all short prompts: the continuations and the registers of
//! every cell after the last layer.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail by panic"
)]

#[path = "../../psl-runtime/tests/common/common.rs"]
mod common;

use psl_program::Runner;
use psl_runtime::{Executable, Options, compile, decompile};
use psl_search::{Against, OneThread, ShortPrompts, Wanted, prove};
use psl_syntax::{
    Program, Span, WIDTH, check,
    diagnostic::{Edit, Fix},
    format,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Production, RegisterId, Statement,
    },
    refactor::{extract_guard, into_list},
    schedule::schedule,
};

use crate::common::{
    cases,
    random::{MARK, Random, set_causal_attn},
    scattered::scattered,
};

/// Checks that a changed form of a program does the same. Returns the number of prompts compared.
fn does_the_same(before: Program, after: Program, up_to: usize, place: &str) -> usize {
    let [before, after] = [before, after].map(|program| Runner::of(Executable::new(program)));
    let options = Options { max_new: Some(3), max_passes: Some(40), ..Options::default() };
    let wanted = Wanted { up_to: Some(up_to), ..Wanted::default() };
    let prompts = ShortPrompts::new(&[before.executable(), after.executable()], &options, &wanted).expect("prompts");
    let statement = Against::with_states(&before, &after);
    let proof = prove(&before, &statement, &prompts, &OneThread).expect("a proof");
    assert!(proof.counterexample.is_none(), "{:?}\n{place}", proof.counterexample);
    proof.prompts
}

fn refactored(text: &str, fix: &Fix) -> usize {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.span);
    let after = Edit::apply(&edits, text).unwrap_or_else(|| panic!("{fix:?}\n{text}"));
    does_the_same(common::program(text), common::program(&after), 2, &format!("{text}\n====\n{after}"))
}

/// Adds a second production after each one. It shares a guard with the first, or differs from it in one constant.
fn add_twins(random: &mut Random, statements: &mut Vec<Statement>) {
    for at in (0..statements.len()).rev() {
        match &mut statements[at] {
            Statement::Repeat(repeat) => add_twins(random, &mut repeat.body),
            Statement::Production(production) => {
                let twin =
                    if random.percent(50) { other_constant(random, production) } else { guarded(random, production) };
                statements.insert(at + 1, Statement::Production(twin));
            }
        }
    }
}

fn other_constant(random: &mut Random, production: &mut Production) -> Production {
    let cell = if production.binds_n() { random.choose(&[Cell::Source, Cell::Updated]) } else { Cell::Updated };
    production.conditions.push(one_of(random, cell, true));
    let mut twin = production.clone();
    *twin.conditions.last_mut().unwrap() =
        Condition { left: production.conditions.last().unwrap().left, ..one_of(random, cell, true) };
    twin
}

fn guarded(random: &mut Random, production: &mut Production) -> Production {
    let cell = if production.binds_n() { random.choose(&[Cell::Source, Cell::Updated]) } else { Cell::Updated };
    let guard = [one_of(random, cell, false), one_of(random, cell, false)];
    production.conditions.extend(guard.clone());
    let source = Operand::Constant(ConstantId(random.below(3) as u32));
    let assignments = vec![Assignment { span: Span::default(), target: RegisterId(MARK), source }];
    let mut conditions = guard.to_vec();
    if production.binds_n() {
        conditions.extend(production.conditions.iter().find(|it| it.mentions_n()).cloned());
    }
    Production { conditions, assignments, ..production.clone() }
}

fn one_of(random: &mut Random, cell: Cell, single: bool) -> Condition {
    let left = CellRegister { register: RegisterId(random.choose(&[0, 0, 2, MARK, 5])), cell };
    let mut constant = || ConstantId(random.below(4) as u32);
    let comparison = match (single, constant().0) {
        (true, _) => Comparison::Is(Operand::Constant(constant())),
        (_, 0) => Comparison::IsNot(Operand::Constant(constant())),
        (_, 1) => Comparison::NotIn(vec![constant(), constant()]),
        _ => Comparison::In(vec![constant(), constant(), constant()]),
    };
    Condition { span: Span::default(), left, comparison }
}

#[test]
fn refactored_programs_do_the_same() {
    let (mut guards, mut lists) = (0, 0);
    for seed in 0..cases(40) {
        let mut random = Random::new(seed);
        let mut program = random.program();
        add_twins(&mut random, &mut program.statements);
        let scattered = scattered(&mut random, &program);
        let plain = decompile(&compile(&program)).unwrap_or_else(|_| scattered.clone());
        for text in [plain, scattered] {
            let checked = check(&text);
            if !checked.compiles() {
                continue;
            }
            let formatted = format(&text).unwrap().edits.is_empty();
            for production in checked.analysis.program.productions() {
                let cursor = Span::new(production.span.start, production.span.start);
                for fix in extract_guard(&checked, cursor) {
                    guards += refactored(&text, &fix.fix);
                }
                if let Some(fix) = into_list(&checked, cursor) {
                    lists += refactored(&text, &fix);
                    let after = Edit::apply(&fix.edits, &text).unwrap();
                    // Code actions format: they break a line that the list makes too long.
                    if formatted && after.lines().all(|line| line.chars().count() <= WIDTH) {
                        // Formatting also removes an empty line at the end of a block.
                        let lines = |text: &str| -> Vec<String> {
                            text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
                        };
                        assert_eq!(lines(&format(&after).unwrap().text), lines(&after));
                    }
                }
            }
        }
    }
    assert!(guards as u64 > cases(40), "only {guards} prompts after a guard was extracted");
    assert!(lists as u64 > cases(40) / 4, "only {lists} prompts after conditions became a list");
}

#[test]
fn scheduled_programs_do_the_same() {
    let (mut compared, mut shared) = (0, 0);
    for seed in 0..cases(60) {
        let mut program = Random::new(seed).program();
        set_causal_attn(&mut program);
        let schedule = schedule(&program, None);
        shared += u64::from(schedule.width() > 1);
        compared += does_the_same(program.clone(), schedule.apply(&program), 3, &format!("seed {seed}"));
    }
    println!("{compared} prompts, {shared} programs with several heads in a layer");
    assert!(shared > cases(60) / 8);
}

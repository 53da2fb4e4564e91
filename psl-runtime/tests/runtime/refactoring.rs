//! Refactoring preserves every register of every cell, and the continuation, on all machines.

use std::collections::BTreeMap;

use psl_runtime::{Executable, Options, compile, decompile};
use psl_syntax::{
    Code, Span, WIDTH, check,
    diagnostic::{Edit, Fix},
    format,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Production, RegisterId, Statement,
    },
    refactor::{extract_guard, into_list, split_same_cell},
};

use crate::common::{
    cases,
    random::{MARK, Random},
    scattered::scattered,
};

/// The values of a cell's registers, by their long names.
type State = BTreeMap<String, String>;

/// Runs a prompt on all machines, which must agree. Returns the final state of each cell and the continuation, or
/// `None` if a block does not end.
fn run(text: &str, prompt: &[&str]) -> Option<(Vec<State>, Vec<String>)> {
    let checked = check(text);
    assert!(checked.compiles(), "{:?}\n{text}", checked.diagnostics);
    let executable = Executable::new(checked.analysis.program);
    let options = Options { max_new: Some(3), max_passes: Some(40), ..Options::default() };
    let task = executable.task(prompt, &options).unwrap();
    let run = executable.verify(&task).ok()?.run;
    let shown = |value| task.vocabulary.show(value).to_owned();
    let cell = |state: &psl_runtime::State| {
        executable.registers.long.iter().cloned().zip(state.iter().map(|&value| shown(value))).collect()
    };
    Some((run.states.iter().map(cell).collect(), run.output.iter().map(|&value| shown(value)).collect()))
}

/// Checks that a refactored program gives the same results on some prompts. Returns the number of prompts compared.
fn does_the_same(text: &str, fix: &Fix, random: &mut Random) -> usize {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.span);
    let after = Edit::apply(&edits, text).unwrap_or_else(|| panic!("{fix:?}\n{text}"));
    let mut compared = 0;
    for _ in 0..3 {
        let prompt = random.prompt();
        let (Some((cells, output)), Some((new_cells, new_output))) = (run(text, &prompt), run(&after, &prompt)) else {
            continue;
        };
        assert_eq!(new_output, output, "{prompt:?}\n{text}\n====\n{after}");
        for (old, new) in cells.iter().zip(&new_cells) {
            for (register, value) in old {
                assert_eq!(new.get(register), Some(value), "{register} {prompt:?}\n{text}\n====\n{after}");
            }
        }
        compared += 1;
    }
    compared
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
fn random_programs() {
    let (mut guards, mut lists) = (0, 0);
    for seed in 0..cases(100) {
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
                    guards += does_the_same(&text, &fix.fix, &mut random);
                }
                if let Some(fix) = into_list(&checked, cursor) {
                    lists += does_the_same(&text, &fix, &mut random);
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
    assert!(guards as u64 > cases(100), "only {guards} runs after a guard was extracted");
    assert!(lists as u64 > cases(100) / 4, "only {lists} runs after conditions became a list");
}

/// Splits the comparison in a program in each of the `ways`, and runs the result.
fn check_split(production: &str, prompt: &str, ways: usize, expected: &str) {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', left: 'l', mark: 'm'}}\nconstants: {{A, B, YES}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n\
         where position[n] == position[N]@pos_decrement:\n    left[N] = symbol[n]\n{production}"
    );
    let checked = check(&text);
    let error = checked.diagnostics.iter().find(|it| it.code == Code::SameCellComparison).unwrap();
    let fixes = split_same_cell(&checked, error.span);
    assert_eq!(fixes.len(), ways, "{fixes:?}");
    for fix in fixes {
        let mut edits = fix.edits;
        edits.sort_by_key(|edit| edit.span);
        let after = Edit::apply(&edits, &text).unwrap();
        assert_eq!(format(&after).unwrap().text, after);
        let prompt: Vec<&str> = prompt.split(' ').collect();
        let (cells, _) = run(&after, &prompt).unwrap();
        let marks: Vec<&str> = cells[..prompt.len()].iter().map(|cell| cell["mark"].as_str()).collect();
        assert_eq!(marks.join(" "), expected, "{after}");
    }
}

#[test]
fn comparisons_within_a_cell() {
    let same = "where position[n] == position[N] and symbol[N] == left[N]:\n    mark[N] = YES\n";
    check_split(same, "A A B B A", 2, "∅ YES ∅ YES ∅");
    let differs = "where position[n] == position[N] and symbol[n] != left[n]:\n    mark[N] = symbol[n]\n";
    check_split(differs, "A A B B A", 2, "A ∅ B ∅ A");
    let other = "# the first pair\nwhere symbol[n] == left[n] and symbol[N] == A:\n    mark[N] = symbol[n]\n";
    check_split(other, "A B B A A", 1, "B ∅ ∅ B B");
}

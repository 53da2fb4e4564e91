//! Diagnostics on the flow of values hold in runs: removing dead assignments and duplicate productions changes nothing,
//! registers that are never written are null, and a copy is reported as stale exactly if it is stale on every path.

use std::collections::BTreeMap;

use psl_runtime::{Executable, MachineKind, RunError};
use psl_syntax::{
    Analysis, Code, Diagnostic, Span,
    names::Names,
    parse,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, Function, Operand, Production, Program, RegisterId,
        Repeat, Statement, Until,
    },
    rule_diagnostics,
};

use crate::common::{
    self,
    random::{Random, place},
};

const CASES: u64 = 4_000;

/// The number of times that each diagnostic could have been wrong.
#[derive(Debug, Default)]
struct Coverage {
    dead: usize,
    duplicates: usize,
    fired: usize,
    null: usize,
    stale: usize,
    fresh: usize,
}

fn echoed(seed: u64) -> (Random, Program) {
    let mut random = Random::new(seed);
    let mut program = random.program();
    random.echo(&mut program);
    place(&mut program);
    (random, program)
}

fn found(program: &Program) -> Vec<Diagnostic> {
    let analysis = Analysis::of_program(program.clone(), Names::default(), Vec::new(), true);
    rule_diagnostics(&parse("").tree, &analysis)
}

/// The program without the assignments that the predicate selects.
fn without(program: &Program, gone: &dyn Fn(&Production, &Assignment) -> bool) -> Program {
    fn visit(statements: &mut [Statement], gone: &dyn Fn(&Production, &Assignment) -> bool) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    let whole = production.clone();
                    production.assignments.retain(|assignment| !gone(&whole, assignment));
                }
                Statement::Repeat(repeat) => visit(&mut repeat.body, gone),
            }
        }
    }
    let mut program = program.clone();
    visit(&mut program.statements, gone);
    program
}

fn check_runs(seed: u64, coverage: &mut Coverage) {
    let (mut random, program) = echoed(seed);
    let found = found(&program);
    let spans = |code: Code| found.iter().filter(move |found| found.code == code).map(|found| found.span);
    let dead: Vec<Span> = spans(Code::DeadAssignment).collect();
    let duplicates: Vec<Span> = spans(Code::DuplicateProduction).collect();
    let mut others: Vec<Program> = dead.iter().map(|span| without(&program, &|_, it| it.span == *span)).collect();
    others.extend(duplicates.iter().map(|span| without(&program, &|production, _| production.head == *span)));
    let all =
        |production: &Production, it: &Assignment| dead.contains(&it.span) || duplicates.contains(&production.head);
    others.push(without(&program, &all));
    coverage.dead += dead.len();
    coverage.duplicates += duplicates.len();

    let executable = Executable::new(program.clone());
    let others: Vec<Executable> = others.into_iter().map(Executable::new).collect();
    let productions = program.productions();
    for structured in [false, true] {
        let symbols = random.prompt();
        let mut task = executable.task(&symbols, &random.options()).unwrap();
        if structured {
            for (cell, register, value) in random.further(symbols.len(), &executable.registers) {
                task.input.cells[cell][register.index()] = Some(task.vocabulary.add(value));
            }
        }
        let (whole, trace) = common::traced(&executable, MachineKind::Psm, &task);
        for other in &others {
            let part = other.run(MachineKind::Psm, &task, None);
            // Without a value that comes and goes, a run may take fewer passes and stay within the limit.
            let limited = |result: &Result<_, RunError>| matches!(result, Err(RunError::TooManyPasses { .. }));
            if !limited(&whole) && !limited(&part) {
                let removed = format!("{dead:?}, {duplicates:?}");
                assert_eq!(whole.as_ref().ok(), part.as_ref().ok(), "seed {seed}, {symbols:?} without {removed}");
            }
        }
        for update in trace.updates.iter().filter(|update| update.attends.is_some()) {
            let production = productions[update.layer];
            coverage.fired += usize::from(duplicates.contains(&production.head))
                + production.assignments.iter().filter(|it| dead.contains(&it.span)).count();
        }
        if !structured {
            for found in found.iter().filter(|found| found.code == Code::ReadBeforeWrite) {
                let never = found.message.ends_with("nothing writes it");
                let name = found.message.split('`').nth(1).unwrap();
                let register = executable.registers.by_long(name).unwrap();
                let further = found.labels.iter().filter(|label| label.message == "also read here");
                for read in further.map(|label| label.span).chain([found.span]) {
                    for update in trace.updates.iter().filter(|update| never || update.step == 0) {
                        let production = productions[update.layer];
                        let reads = production.conditions.iter().any(|it| it.span == read)
                            || production.assignments.iter().any(|it| it.span == read);
                        if reads && !update.set.iter().any(|(set, _)| *set == register) {
                            assert_eq!(
                                update.state[register.index()],
                                None,
                                "seed {seed}, {symbols:?}: {name}, {read:?}"
                            );
                            coverage.null += 1;
                        }
                    }
                }
            }
        }
    }
}

/// The state of a copy on one path. A copy that was not written yet has none.
#[derive(Clone, Copy, PartialEq)]
enum Copy {
    Fresh { source: Option<RegisterId> },
    Stale,
}

/// A path through the program, with the copies on it.
struct Path<'r> {
    random: &'r mut Random,
    position: Option<RegisterId>,
    copies: BTreeMap<RegisterId, Copy>,
    /// By the start of the reader and the copy: whether the copy was stale at every read.
    reads: BTreeMap<(u32, RegisterId), bool>,
}

impl Path<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production),
                Statement::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        for _ in 0..=self.random.below(3) {
            self.statements(&repeat.body);
            if let Until::Conditions(conditions) = &repeat.until {
                self.read(conditions[0].span.start, conditions.iter().flat_map(Condition::registers));
            }
        }
        if repeat.until == Until::NoChange {
            // One more pass would copy again what the last one copied.
            let block = Program { statements: repeat.body.clone(), ..Program::default() };
            for production in block.productions() {
                self.write(production);
            }
        }
    }

    fn production(&mut self, production: &Production) {
        let sources = production.assignments.iter().filter_map(|assignment| assignment.source.register());
        let read: Vec<CellRegister> =
            production.conditions.iter().flat_map(Condition::registers).chain(sources).collect();
        let copying: Vec<RegisterId> = production
            .assignments
            .iter()
            .filter(|it| self.copied(production, it).is_some())
            .map(|it| it.target)
            .collect();
        self.read(production.head.start, read.into_iter().filter(|place| !copying.contains(&place.register)));
        self.write(production);
        for assignment in &production.assignments {
            for (copy, state) in &mut self.copies {
                if *state == (Copy::Fresh { source: Some(assignment.target) }) && *copy != assignment.target {
                    *state = Copy::Stale;
                }
            }
        }
    }

    fn read(&mut self, at: u32, places: impl Iterator<Item = CellRegister>) {
        for place in places {
            let stale = self.copies.get(&place.register) == Some(&Copy::Stale);
            *self.reads.entry((at, place.register)).or_insert(true) &= stale;
        }
    }

    fn write(&mut self, production: &Production) {
        for assignment in &production.assignments {
            let source = self.copied(production, assignment);
            self.copies.insert(assignment.target, Copy::Fresh { source });
        }
    }

    fn copied(&self, production: &Production, assignment: &Assignment) -> Option<RegisterId> {
        let position = self.position?;
        let left = |condition: &Condition| {
            let Comparison::Is(Operand::Register(right, Some(function))) = condition.comparison else { return false };
            let cells = (condition.left.cell, right.cell);
            (condition.left.register, right.register) == (position, position)
                && match function {
                    Function::PosDecrement => cells == (Cell::Source, Cell::Updated),
                    Function::PosIncrement => cells == (Cell::Updated, Cell::Source),
                }
        };
        match assignment.source {
            Operand::Register(CellRegister { register, cell: Cell::Source }, None)
                if register != assignment.target && production.conditions.iter().any(left) =>
            {
                Some(register)
            }
            _ => None,
        }
    }
}

fn check_copies(seed: u64, coverage: &mut Coverage) {
    let (mut random, program) = echoed(seed);
    let found = found(&program);
    let mut reads = BTreeMap::new();
    for _ in 0..100 {
        let position = program.roles.position;
        let mut path = Path { random: &mut random, position, copies: BTreeMap::new(), reads: BTreeMap::new() };
        path.statements(&program.statements);
        for (read, stale) in path.reads {
            *reads.entry(read).or_insert(true) &= stale;
        }
    }
    let productions = program.productions();
    let reader = |span: Span| {
        let production = productions.iter().find(|production| {
            production.head.range().contains(&(span.start as usize))
                || production.assignments.iter().any(|assignment| assignment.span == span)
        });
        production.map_or(span.start, |production| production.head.start)
    };
    for found in found.iter().filter(|found| found.code == Code::StalePrev) {
        let name = found.message.split('`').nth(1).unwrap();
        let register = program.registers.iter().position(|register| register.name == name).unwrap();
        let read = (reader(found.span), RegisterId(register as u32));
        assert_eq!(reads.remove(&read), Some(true), "seed {seed}: {found:?}");
        coverage.stale += 1;
    }
    for (read, stale) in reads {
        assert!(!stale, "seed {seed}: {read:?} is stale on every path\n{program:#?}");
        coverage.fresh += 1;
    }
}

#[test]
fn diagnostics_on_the_flow_hold_in_runs() {
    let mut coverage = Coverage::default();
    for seed in 0..CASES {
        check_runs(seed, &mut coverage);
        check_copies(seed, &mut coverage);
    }
    println!("{coverage:#?}");
    let Coverage { dead, duplicates, fired, null, stale, fresh } = coverage;
    let counts = [
        ("dead", dead),
        ("duplicates", duplicates),
        ("fired", fired),
        ("null", null),
        ("stale", stale),
        ("fresh", fresh),
    ];
    for (claim, count) in counts {
        assert!(count > 100, "`{claim}` could have been wrong only {count} times");
    }
}

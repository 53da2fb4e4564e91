//! Schedules: random programs run with the heads of their schedule as they do layer by layer, on all machines. Rules
//! that are wrong in one point are found to be.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test runtime schedules:: -- --nocapture` runs more than the
//! default 500 cases, and prints how many layers the schedules share.

use std::{collections::BTreeMap, num::NonZeroUsize};

use psl_runtime::{Executable, MachineKind, Options, Run, RunError, Task, Trace, Update, decompile};
use psl_syntax::{
    Program, Span,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production, ProductionId,
        RegisterId, Select, Statement,
    },
    schedule::{Dependences, Schedule, schedule, schedule_by},
};

use crate::common::{
    self,
    agreeing::{agree, cancellable},
    cases,
    random::{MARK, POSITION, Random, SYMBOL, each, production, set_causal_attn},
    task, text, traced,
};

/// A random program. In most of them, guards on a few registers exclude each other.
fn random_program(random: &mut Random) -> Program {
    let mut program = random.program();
    set_causal_attn(&mut program);
    let chance = random.choose(&[0, 40, 80]);
    let registers = random.choose(&[1, 2]);
    each(&mut program.statements, &mut |production| {
        let cells: &[Cell] = match random.below(4) {
            0 if production.binds_n() => &[Cell::Updated, Cell::Source],
            1 | 2 if production.binds_n() => &[Cell::Source],
            _ => &[Cell::Updated],
        };
        if random.percent(chance) {
            for cell in cells {
                production.conditions.push(guard(random, *cell, registers));
            }
        }
        let register = RegisterId(MARK + random.below(registers) as u32);
        if random.percent(chance / 2) && production.assignments.iter().all(|it| it.target != register) {
            let source = Operand::Constant(ConstantId(random.below(3) as u32));
            production.assignments.push(Assignment { span: Span::default(), target: register, source });
        }
    });
    if random.percent(25) {
        let at = random.below(program.statements.len() as u64 + 1) as usize;
        let motif = writer_and_reader(random).map(Statement::Production);
        program.statements.splice(at..at, motif);
    }
    program
}

/// A production that sets registers of the cells with one symbol, and one that reads them from a neighbor, with a guard
/// on the symbol of one of the two cells or of both.
fn writer_and_reader(random: &mut Random) -> [Production; 2] {
    let [copy, link] = [5, 6].map(RegisterId);
    let mut constant = || Operand::Constant(ConstantId(random.below(3) as u32));
    let is = |cell: Cell, constant: Operand| {
        let left = CellRegister { register: RegisterId(SYMBOL), cell };
        Condition { span: Span::default(), left, comparison: Comparison::Is(constant) }
    };
    let assign = |target: RegisterId, source: Operand| Assignment { span: Span::default(), target, source };
    let (wanted, other, value) = (constant(), constant(), constant());
    let mut writer = production(vec![is(Cell::Updated, wanted)], vec![assign(copy, value)], None, Select::Leftmost);
    if random.percent(40) {
        writer.assignments.push(assign(RegisterId(SYMBOL), other));
    }
    let position = |cell: Cell| CellRegister { register: RegisterId(POSITION), cell };
    let function = random.choose(&Function::ALL);
    let neighbor = Comparison::Is(Operand::Register(position(Cell::Updated), Some(function)));
    let mut conditions = vec![Condition { span: Span::default(), left: position(Cell::Source), comparison: neighbor }];
    for cell in random.choose(&[
        [Some(Cell::Updated), None],
        [Some(Cell::Source), None],
        [Some(Cell::Updated), Some(Cell::Source)],
    ]) {
        conditions.extend(cell.map(|cell| is(cell, other)));
    }
    let read = random.choose(&[copy, copy, RegisterId(SYMBOL)]);
    let read = Operand::Register(CellRegister { register: read, cell: Cell::Source }, None);
    [writer, production(conditions, vec![assign(link, read)], None, Select::Leftmost)]
}

fn guard(random: &mut Random, cell: Cell, registers: u64) -> Condition {
    let register = RegisterId(MARK + random.below(registers) as u32);
    let constant = ConstantId(random.below(3) as u32);
    let comparison = match random.below(6) {
        0 => Comparison::IsNot(Operand::Constant(constant)),
        1 => Comparison::In(vec![constant, ConstantId(random.below(3) as u32)]),
        2 => Comparison::NotIn(vec![constant, ConstantId(random.below(3) as u32)]),
        _ => Comparison::Is(Operand::Constant(constant)),
    };
    Condition { span: Span::default(), left: CellRegister { register, cell }, comparison }
}

/// The scheduled program with a layer for each head.
fn one_by_one(planned: &Program) -> Program {
    let mut program = planned.clone();
    each(&mut program.statements, &mut |production| production.shares_layer = false);
    program
}

/// The numbers of the productions after which a section ends.
fn ends(program: &Program) -> Vec<usize> {
    fn visit(statements: &[Statement], count: &mut usize, ends: &mut Vec<usize>) {
        for statement in statements {
            match statement {
                Statement::Production(_) => *count += 1,
                Statement::Repeat(repeat) => {
                    ends.push(*count);
                    visit(&repeat.body, count, ends);
                }
            }
        }
        ends.push(*count);
    }
    let (mut count, mut ends_) = (0, Vec::new());
    visit(&program.statements, &mut count, &mut ends_);
    ends_
}

/// By step, layer, pass and cell: the states after these layers.
fn states(trace: &Trace, layers: &[usize]) -> Vec<Update> {
    let mut states: Vec<Update> = trace
        .updates
        .iter()
        .filter(|update| layers.contains(&update.layer.number()))
        .map(|update| Update { attends: None, set: Vec::new(), ..update.clone() })
        .collect();
    // Within a forward step, cells may come in any order.
    states.sort_by_key(|it| (it.step, it.pass.clone(), it.layer, it.cell));
    states
}

type Traced = (Result<Run, RunError>, Trace);

/// The first difference between a program and its schedule.
fn difference(
    program: &Program,
    schedule: &Schedule,
    expected: &Traced,
    run: impl Fn(&Program) -> Traced,
) -> Option<String> {
    let planned = schedule.apply(program);
    let found = run(&planned);
    let ends = ends(program);
    if found.0 != expected.0 {
        return Some(format!("{:?}, not {:?}", found.0, expected.0));
    }
    if states(&found.1, &ends) != states(&expected.1, &ends) {
        return Some("the states at a barrier differ".to_owned());
    }
    let in_order = run(&one_by_one(&planned));
    let what = |trace: &Trace| {
        trace
            .updates
            .iter()
            .map(|it| (it.step, it.pass.clone(), it.layer, it.cell, it.attends, it.set.clone()))
            .collect::<Vec<_>>()
    };
    let mut last_heads = Vec::new();
    let mut count = 0;
    for heads in &schedule.layers {
        count += heads.len();
        last_heads.push(count);
    }
    if what(&found.1) != what(&in_order.1) {
        return Some("a head attends or sets something else".to_owned());
    }
    (states(&found.1, &last_heads) != states(&in_order.1, &last_heads))
        .then(|| "the states after a layer differ".to_owned())
}

/// A rule about which productions affect others: the right one, or one that is wrong in one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Right,
    /// Reads of cell N do not count.
    IgnoresReadsAtUpdated,
    /// Reads of cell n do not count.
    IgnoresReadsAtSource,
    /// Two writes of a register do not count.
    IgnoresWrites,
    /// A later production may come before an earlier one that reads what it writes.
    MayComeFirst,
    /// Guards on cell N need not exclude each other after the write.
    IgnoresTheWriteAtUpdated,
    /// Guards on cell n need not exclude those on N after the write.
    IgnoresTheWriteAtSource,
    /// Guards on cell N excuse reads of cell n.
    TakesUpdatedForSource,
    /// Guards on cell n excuse reads of cell N.
    TakesSourceForUpdated,
    /// Any two guards on one register exclude each other.
    TakesAnyGuards,
}

const WRONG: [Rule; 9] = [
    Rule::IgnoresReadsAtUpdated,
    Rule::IgnoresReadsAtSource,
    Rule::IgnoresWrites,
    Rule::MayComeFirst,
    Rule::IgnoresTheWriteAtUpdated,
    Rule::IgnoresTheWriteAtSource,
    Rule::TakesUpdatedForSource,
    Rule::TakesSourceForUpdated,
    Rule::TakesAnyGuards,
];

impl Rule {
    fn affects(self, program: &Program, first: usize, second: usize) -> bool {
        if self == Self::MayComeFirst && first > second {
            return false;
        }
        let productions = program.productions();
        let [first, second] = [first, second].map(|index| productions[ProductionId::new(index)]);
        let reads = |cell: Cell, register: RegisterId| {
            let conditions = second.conditions.iter().flat_map(Condition::registers);
            let sources = second.assignments.iter().filter_map(|assignment| assignment.source.register());
            conditions.chain(sources).any(|place| place == CellRegister { register, cell })
        };
        first.assignments.iter().any(|assignment| {
            let register = assignment.target;
            let writes = second.assignments.iter().any(|it| it.target == register) && self != Self::IgnoresWrites;
            let at_updated = reads(Cell::Updated, register) && self != Self::IgnoresReadsAtUpdated;
            let at_source = reads(Cell::Source, register) && self != Self::IgnoresReadsAtSource;
            let cells = match self {
                Self::TakesUpdatedForSource => [Cell::Updated, Cell::Updated],
                Self::TakesSourceForUpdated => [Cell::Source, Cell::Source],
                _ => [Cell::Updated, Cell::Source],
            };
            (writes || at_updated) && !self.excludes(program, first, second, cells[0])
                || at_source && !self.excludes(program, first, second, cells[1])
        })
    }

    /// Whether the guards of `first` on cell N exclude those of `second` on a cell: no value of the program, and no
    /// other value, satisfies both.
    fn excludes(self, program: &Program, first: &Production, second: &Production, cell: Cell) -> bool {
        let values: Vec<Option<&str>> =
            program.constants.iter().map(|it| Some(it.value.as_str())).chain([None]).collect();
        let allows = |production: &Production, cell: Cell, register: RegisterId, value: Option<&str>| {
            production.conditions.iter().filter(|it| it.left == CellRegister { register, cell }).all(|condition| {
                let is = |id: &ConstantId| Some(program.constants[*id].value.as_str()) == value;
                match &condition.comparison {
                    Comparison::Is(Operand::Constant(id)) => is(id),
                    Comparison::IsNot(Operand::Constant(id)) => !is(id),
                    Comparison::In(list) => list.iter().any(is),
                    Comparison::NotIn(list) => !list.iter().any(is),
                    Comparison::Is(_) | Comparison::IsNot(_) => true,
                }
            })
        };
        (0..program.registers.len() as u32).map(RegisterId).any(|register| {
            let tests = |production: &Production, cell: Cell| {
                production
                    .conditions
                    .iter()
                    .any(|it| it.left == CellRegister { register, cell } && it.registers().count() == 1)
            };
            let both = |value: Option<&str>| {
                allows(first, Cell::Updated, register, value) && allows(second, cell, register, value)
            };
            let before = self == Self::TakesAnyGuards || !values.iter().copied().any(both);
            let forgets = match cell {
                Cell::Updated => self == Self::IgnoresTheWriteAtUpdated,
                Cell::Source => self == Self::IgnoresTheWriteAtSource,
            };
            let write = first.assignments.iter().find(|it| it.target == register);
            let after = forgets
                || write.is_none_or(|it| match it.source {
                    Operand::Constant(id) => !allows(second, cell, register, Some(&program.constants[id].value)),
                    Operand::Register(..) => false,
                });
            tests(first, Cell::Updated) && tests(second, cell) && before && after
        })
    }
}

fn prompt(random: &mut Random, executable: &Executable) -> Task {
    let (cells, options) = common::random_prompt(random, &executable.registers);
    cancellable(executable, &cells, &options)
}

#[test]
fn scheduled_programs_run_as_before() {
    let cases = cases(500);
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let max_heads = if random.percent(25) { NonZeroUsize::new(1 + random.below(4) as usize) } else { None };
        let dependences = Dependences::new(&program);
        let count = program.productions().len();
        for (first, second) in (0..count).flat_map(|first| (0..count).map(move |second| (first, second))) {
            let expected = Rule::Right.affects(&program, first, second);
            assert_eq!(dependences.affects(first, second), expected, "seed {seed}: {first} and {second}");
        }
        let schedule = schedule(&program, max_heads);
        // Without the index of what may affect each other.
        let of_all_pairs = schedule_by(&program, max_heads, &|first, second| dependences.affects(first, second));
        assert_eq!(schedule, of_all_pairs, "seed {seed}");
        let mut heads: Vec<usize> = schedule.layers.concat();
        heads.sort_unstable();
        assert_eq!(heads, (0..count).collect::<Vec<_>>(), "seed {seed}");
        let (width, most) = (schedule.width(), max_heads.map_or(usize::MAX, NonZeroUsize::get));
        assert!(width <= most && schedule.fewest <= schedule.depth(), "seed {seed}");
        assert!(max_heads.is_some() || schedule.fewest == schedule.depth(), "seed {seed}");
        let executable = Executable::new(program.clone());
        let planned = Executable::new(schedule.apply(&program));
        let task = prompt(&mut random, &executable);
        let place = format!("seed {seed}");
        let expected = traced(&executable, MachineKind::Psm, &task);
        let run = |program: &Program| traced(&Executable::new(program.clone()), MachineKind::Psm, &task);
        assert_eq!(difference(&program, &schedule, &expected, run), None, "{place}");
        assert_eq!(agree(&planned, &task, &place), expected.0, "{place}");
        let by_text = decompile(planned.qkvl()).map_err(|error| error.to_string());
        assert!(
            by_text.as_ref().err().is_none_or(|why| why.contains("cannot come after it either")),
            "{place}: {by_text:?}"
        );
        if let Ok(text) = &by_text {
            let ends = ends(&program);
            let found = traced(&Executable::new(common::program(text)), MachineKind::Psm, &task);
            assert_eq!(found.0, expected.0, "{place}\n{text}");
            assert_eq!(states(&found.1, &ends), states(&expected.1, &ends), "{place}\n{text}");
        }
        let plain = schedule_by(&program, max_heads, &|first, second| plainly_affects(&program, first, second));
        let mut note = |what, happened| *counts.entry(what).or_default() += usize::from(happened);
        note("several heads in a layer", width > 1);
        note("fewer layers by guards", schedule.depth() < plain.depth());
        note("limited heads", max_heads.is_some());
        note("through a text", by_text.is_ok());
        note("in a repeat block", program.statements.iter().any(|it| matches!(it, Statement::Repeat(_))) && width > 1);
        note("generation", expected.1.updates.last().is_some_and(|update| update.step > 0) && width > 1);
        note("out of program order", !schedule.layers.concat().is_sorted());
    }
    for (what, count) in &counts {
        println!("{what}: {count}");
        assert!(cases < 2_000 || *count >= 100, "{what}: {count}");
    }
}

/// Whether the first production writes what the second reads or writes.
fn plainly_affects(program: &Program, first: usize, second: usize) -> bool {
    let productions = program.productions();
    let [first, second] = [first, second].map(|index| productions[ProductionId::new(index)]);
    let reads = second.conditions.iter().flat_map(Condition::registers);
    let sources = second.assignments.iter().filter_map(|assignment| assignment.source.register());
    let writes = second.assignments.iter().map(|assignment| assignment.target);
    let mut used = reads.chain(sources).map(|place| place.register).chain(writes);
    used.any(|register| first.assignments.iter().any(|assignment| assignment.target == register))
}

#[test]
fn a_rule_that_is_wrong_in_one_point_is_found() {
    for rule in WRONG {
        let wrong = (0..2_000).find(|seed| {
            let mut random = Random::new(*seed);
            let program = random_program(&mut random);
            let executable = Executable::new(program.clone());
            let task = prompt(&mut random, &executable);
            let schedule = schedule_by(&program, None, &|first, second| rule.affects(&program, first, second));
            let expected = traced(&executable, MachineKind::Psm, &task);
            let run = |program: &Program| traced(&Executable::new(program.clone()), MachineKind::Psm, &task);
            difference(&program, &schedule, &expected, run).is_some()
        });
        println!("{rule:?}: {wrong:?}");
        assert!(wrong.is_some(), "{rule:?} is not found");
    }
}

#[test]
fn pargen_has_29_layers_without_guards_and_26_if_guards_on_cell_n_updated_excused_reads_of_cell_n() {
    let executable = common::pargen();
    let program = &executable.program;
    let by = |affects: &dyn Fn(usize, usize) -> bool| schedule_by(program, None, affects);
    let careless = by(&|first, second| Rule::TakesUpdatedForSource.affects(program, first, second));
    assert_eq!(by(&|first, second| plainly_affects(program, first, second)).depth(), 29);
    assert_eq!(by(&|first, second| Rule::Right.affects(program, first, second)).depth(), 27);
    assert_eq!(careless.depth(), 26);
    // The continuations of the careless schedule are right, but not its states.
    let planned = Executable::new(careless.apply(program));
    let task = task(&executable, "Q B V D E A D E V B . Q F G H V K L A", &Options::of(program));
    let (expected, found) = (traced(&executable, MachineKind::Psm, &task), traced(&planned, MachineKind::Psm, &task));
    let output = |traced: &Traced| traced.0.as_ref().map(|run| run.output.clone()).unwrap();
    assert_eq!(output(&found), output(&expected));
    let last = program.productions().len();
    assert_ne!(states(&found.1, &[last]), states(&expected.1, &[last]));
}

#[test]
fn scheduled_pargen_continues_the_golden_prompts() {
    let executable = common::pargen();
    let program = &executable.program;
    let schedule = schedule(program, None);
    let planned = Executable::new(schedule.apply(program));
    for line in text("golden/examples.tsv").lines() {
        let [prompt, gold, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let task = task(&executable, prompt, &Options::of(program));
        let expected = traced(&executable, MachineKind::Psm, &task);
        let run = |program: &Program| traced(&Executable::new(program.clone()), MachineKind::Psm, &task);
        assert_eq!(difference(program, &schedule, &expected, run), None, "{prompt}");
        let verified = planned.verify(&task).expect("all machines agree");
        assert_eq!(common::output(&verified.run, &task), gold, "{prompt}");
    }
}

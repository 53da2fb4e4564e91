//! Claims about a program hold in runs: domains, conditions that never or always hold, productions that never fire,
//! causality, dead assignments, blocks that settle. The programs are for plain prompts, or declare the registers that
//! structured prompts set.
//!
//! `CASES=10000 cargo test -p psl-runtime --release --test runtime claims -- --nocapture` checks more than the default
//! 3,000 cases.

use std::sync::Arc;

use psl_runtime::{Executable, MachineKind, Run, RunError, Task, Trace};
use psl_syntax::{
    Analysis, Causality, Code, Span,
    domains::{self, Proved, Verdict},
    index::IndexVec,
    names::Names,
    parse,
    program::{
        Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Production, ProductionId, Program, RegisterId,
        Repeat, Statement, Until,
    },
    rule_diagnostics,
};

use crate::common::{
    self,
    random::{POSITION, Random, place},
};

/// The number of times that each claim could have been wrong.
#[derive(Debug, Default)]
struct Coverage {
    values: usize,
    narrow: usize,
    never: usize,
    always: usize,
    causal: usize,
    guarded: usize,
    dead: usize,
    settled: usize,
    turning: usize,
    endless: usize,
    stuck: usize,
    inputs: usize,
}

/// The claims about a program.
struct Claims {
    domains: Arc<domains::Domains>,
    verdicts: domains::Verdicts,
    causality: Arc<IndexVec<ProductionId, Causality>>,
    dead: Vec<Span>,
    /// The blocks that may not end.
    endless: Vec<Span>,
}

impl Claims {
    fn of(program: &Program) -> Self {
        let analysis = Analysis::of_program(program.clone(), Names::default(), Vec::new(), true);
        let found = rule_diagnostics(&parse("").tree, &analysis);
        let verdicts = analysis.verdicts().clone();
        let Analysis { domains, causality, .. } = analysis;
        let spans = |code| found.iter().filter(|it| it.code == code).map(|it| it.span).collect();
        let (dead, endless) = (spans(Code::DeadAssignment), spans(Code::MayNotTerminate));
        Self { domains, verdicts, causality, dead, endless }
    }
}

/// A task whose prompt sets only registers that the program declares.
fn task(random: &mut Random, executable: &Executable) -> Task {
    let program = &executable.program;
    let (symbols, options) = (random.prompt(), random.options());
    if program.input.is_empty() {
        return executable.task(&symbols, &options).unwrap();
    }
    let values = ["A", "B", "X", "1", "2", "3", "02", "99", "EOP", "unheard", "of"];
    let mut cells = executable.registers.cells(&symbols);
    for cell in &mut cells {
        let symbol = executable.registers.roles.symbol.unwrap();
        if program.is_input(symbol) && random.percent(30) {
            cell.clear();
        }
        for register in program.input.iter().filter(|register| **register != symbol) {
            if random.percent(50) {
                cell.push((*register, random.choose(&values)));
            }
        }
    }
    executable.structured_task(&cells, &options).unwrap()
}

fn check(seed: u64, coverage: &mut Coverage) {
    let mut random = Random::new(seed);
    let mut program = random.program();
    if random.percent(30) {
        random.echo(&mut program);
    }
    if random.percent(30) {
        guard(&mut random, &mut program);
    }
    place(&mut program);
    if random.percent(50) {
        let registers = (0..program.registers.len() as u32).filter(|register| *register != POSITION);
        program.input = registers.map(RegisterId).filter(|_| random.percent(35)).collect();
    }
    let claims = Claims::of(&program);
    let executable = Executable::new(program.clone());
    // Programs with the same runs: with conditions that always hold made trivial, and without dead assignments.
    let mut same: Vec<Executable> = Vec::new();
    visit(&mut program.clone(), &claims, &mut |program| same.push(Executable::new(program.clone())));
    coverage.always += same.len();
    let without_dead = (!claims.dead.is_empty()).then(|| Executable::new(without(&program, &claims.dead)));

    for _ in 0..3 {
        let task = task(&mut random, &executable);
        let (result, trace) = common::traced(&executable, MachineKind::Psm, &task);
        coverage.inputs += usize::from(!program.input.is_empty());
        layers(seed, &program, &claims, &task, &trace, coverage);
        blocks(seed, &program, &claims, &result, &trace, coverage);
        for other in &same {
            let (_, changed) = common::traced(other, MachineKind::Psm, &task);
            assert!(
                changed == trace,
                "seed {seed}: a condition does not always hold\n{:#?}\nreplaced in\n{:#?}\n{:?}",
                program.statements,
                other.program.statements,
                trace.first_difference(&changed)
            );
        }
        if let Some(other) = &without_dead {
            let part = other.run(MachineKind::Psm, &task, None);
            // Without a value that comes and goes, a run may take fewer passes and stay within the limit.
            let limited = |result: &Result<_, RunError>| matches!(result, Err(RunError::TooManyPasses { .. }));
            if !limited(&result) && !limited(&part) {
                assert_eq!(result.as_ref().ok(), part.as_ref().ok(), "seed {seed}: {:?} is not dead", claims.dead);
                coverage.dead += 1;
            }
        }
    }
}

/// Guards productions by the end of the prompt, and by parse values that are set only there.
fn guard(random: &mut Random, program: &mut Program) {
    fn visit(random: &mut Random, guards: &Guards, statements: &mut [Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => guards.add(random, production),
                Statement::Repeat(repeat) => {
                    visit(random, guards, &mut repeat.body);
                    if random.percent(20) {
                        let test = Comparison::Is(Operand::Constant(guards.end));
                        repeat.until = Until::Conditions(vec![condition(guards.eop, test)]);
                    }
                }
            }
        }
    }
    let constant = |value: &str| program.constants.iter().position(|it| it.value == value).unwrap();
    let [one, end] = ["1", "EOP"].map(|value| ConstantId(constant(value) as u32));
    if let (Some(parse), Some(eop)) = (program.roles.parse, program.roles.eop) {
        visit(random, &Guards { parse, eop, one, end }, &mut program.statements);
    }
}

struct Guards {
    parse: RegisterId,
    eop: RegisterId,
    one: ConstantId,
    end: ConstantId,
}

impl Guards {
    fn add(&self, random: &mut Random, production: &mut Production) {
        let any = |random: &mut Random| Operand::Constant(ConstantId(random.below(5) as u32));
        let mut sets_parse = false;
        production.assignments.retain(|assignment| assignment.target != self.eop);
        for assignment in production.assignments.iter_mut().filter(|assignment| assignment.target == self.parse) {
            assignment.source = any(random);
            sets_parse = true;
        }
        let (register, test) = match random.below(4) {
            // Occasionally the guard is missing.
            0..3 if sets_parse => (self.eop, Comparison::Is(Operand::Constant(self.end))),
            0 => (self.eop, Comparison::In(vec![self.end])),
            1 => (self.parse, Comparison::IsNot(Operand::Constant(self.one))),
            2 => (self.parse, Comparison::Is(any(random))),
            _ => return,
        };
        production.conditions.push(condition(register, test));
    }
}

/// A condition on cell N.
fn condition(register: RegisterId, comparison: Comparison) -> Condition {
    Condition { span: Span::default(), left: CellRegister { register, cell: Cell::Updated }, comparison }
}

fn layers(seed: u64, program: &Program, claims: &Claims, task: &Task, trace: &Trace, coverage: &mut Coverage) {
    let productions = program.productions();
    for update in &trace.updates {
        let layer = update.layer;
        let production = productions[layer];
        for register in mentioned(production) {
            // A register that the layer has not set has its value from before it.
            if update.set.iter().any(|(set, _)| *set == register) {
                continue;
            }
            let value = update.state[register.index()].map(|value| task.vocabulary.show(Some(value)));
            let domain = claims.domains.before(layer, register).unwrap();
            assert!(
                claims.domains.admits(domain, value),
                "seed {seed}: {register:?} is {value:?} at layer {layer}, not {}",
                claims.domains.in_words(domain)
            );
            coverage.values += 1;
            coverage.narrow += usize::from(!claims.domains.admits(domain, Some("another")));
        }
        if claims.verdicts.never_fires(layer) {
            assert_eq!(update.attends, None, "seed {seed}: layer {layer} fired");
            coverage.never += 1;
        }
        if let (Causality::Proved(proof), Some(n)) = (claims.causality[layer], update.attends) {
            if task.limits.recompute && proof.is_void_when_recomputed() {
                continue;
            }
            assert!(n <= update.cell, "seed {seed}: layer {layer} attends to its right: {proof:?}");
            coverage.causal += 1;
            coverage.guarded += usize::from(proof.is_void_when_recomputed());
        }
    }
}

fn blocks(
    seed: u64,
    program: &Program,
    claims: &Claims,
    result: &Result<Run, RunError>,
    trace: &Trace,
    coverage: &mut Coverage,
) {
    let (mut opened, mut ended) = (Vec::new(), Vec::new());
    repeats(&program.statements, &mut 0, &mut opened, &mut ended);
    if let Err(RunError::Endless { block, cycle }) = result {
        let repeat = opened[block.number - 1];
        if cycle.turning.is_empty() {
            // No claim covers conditions that can never hold, or that the block itself may make true.
            let number = ended.iter().position(|(other, _)| std::ptr::eq(*other, repeat)).unwrap();
            if !reads_own(repeat) && !claims.verdicts.untils[number].never_hold() {
                assert!(claims.endless.contains(&repeat.keyword), "seed {seed}: block {} never ends", block.number);
                coverage.stuck += 1;
            }
        } else {
            assert!(!claims.endless.is_empty(), "seed {seed}: a block cycles forever");
            coverage.turning += 1;
        }
    } else {
        coverage.settled += usize::from(claims.endless.is_empty());
    }
    for ((_, layers), proved) in ended.iter().zip(&claims.verdicts.untils) {
        let ran = || trace.updates.iter().any(|update| layers.contains(&update.layer.index()));
        if proved.never_hold() && ran() {
            assert!(result.is_err(), "seed {seed}: conditions that never hold end a block");
            coverage.endless += 1;
        }
    }
}

/// The repeat blocks in the order in which they open, and in the order in which they end, the latter with their layers.
fn repeats<'p>(
    statements: &'p [Statement],
    layer: &mut usize,
    opened: &mut Vec<&'p Repeat>,
    ended: &mut Vec<(&'p Repeat, std::ops::Range<usize>)>,
) {
    for statement in statements {
        match statement {
            Statement::Production(_) => *layer += 1,
            Statement::Repeat(repeat) => {
                let first = *layer;
                opened.push(repeat);
                repeats(&repeat.body, layer, opened, ended);
                ended.push((repeat, first..*layer));
            }
        }
    }
}

/// Whether a block writes a register that its `until` reads.
fn reads_own(repeat: &Repeat) -> bool {
    let Until::Conditions(conditions) = &repeat.until else { return true };
    let block = Program { statements: repeat.body.clone(), ..Program::default() };
    let productions = block.productions();
    let mut written = productions.iter().flat_map(|production| &production.assignments);
    written.any(|it| conditions.iter().flat_map(Condition::registers).any(|place| place.register == it.target))
}

/// Calls `give` with the program once for each condition that is claimed to always hold, with that condition made
/// trivial.
fn visit(program: &mut Program, claims: &Claims, give: &mut dyn FnMut(&Program)) {
    let (mut layer, mut until) = (0, 0);
    let mut places = Vec::new();
    number(&program.statements, &mut layer, &mut until, &mut Vec::new(), &mut places);
    for (path, conditions, in_layer) in places {
        let domains::Verdicts { layers, untils } = &claims.verdicts;
        let proved = if in_layer { layers.as_slice() } else { untils };
        let Proved { conditions: verdicts, .. } = &proved[conditions];
        for (index, _) in verdicts.iter().enumerate().filter(|(_, verdict)| **verdict == Verdict::Always) {
            let mut changed = program.clone();
            let condition = &mut at(&mut changed.statements, &path)[index];
            // The replacement mentions n if the condition does.
            let cell = if condition.mentions_n() { Cell::Source } else { Cell::Updated };
            let position = CellRegister { register: RegisterId(POSITION), cell };
            *condition = Condition {
                left: position,
                comparison: Comparison::Is(Operand::Register(position, None)),
                ..condition.clone()
            };
            give(&changed);
        }
    }
}

type Path = Vec<usize>;

/// The places of conditions: their path, their number among layers or untils, and whether they are in a layer.
fn number(
    statements: &[Statement],
    layer: &mut usize,
    until: &mut usize,
    path: &mut Path,
    places: &mut Vec<(Path, usize, bool)>,
) {
    for (index, statement) in statements.iter().enumerate() {
        path.push(index);
        match statement {
            Statement::Production(_) => {
                places.push((path.clone(), *layer, true));
                *layer += 1;
            }
            Statement::Repeat(repeat) => {
                number(&repeat.body, layer, until, path, places);
                places.push((path.clone(), *until, false));
                *until += 1;
            }
        }
        path.pop();
    }
}

fn at<'p>(statements: &'p mut [Statement], path: &[usize]) -> &'p mut Vec<Condition> {
    match (&mut statements[path[0]], &path[1..]) {
        (Statement::Production(production), _) => &mut production.conditions,
        (Statement::Repeat(Repeat { until: Until::Conditions(conditions), .. }), []) => conditions,
        (Statement::Repeat(repeat), rest) => at(&mut repeat.body, rest),
    }
}

/// The program without these assignments.
fn without(program: &Program, gone: &[Span]) -> Program {
    fn visit(statements: &mut [Statement], gone: &[Span]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => production.assignments.retain(|it| !gone.contains(&it.span)),
                Statement::Repeat(repeat) => visit(&mut repeat.body, gone),
            }
        }
    }
    let mut program = program.clone();
    visit(&mut program.statements, gone);
    program
}

fn mentioned(production: &Production) -> impl Iterator<Item = RegisterId> {
    let read = production.conditions.iter().flat_map(Condition::registers);
    let copied = production.assignments.iter().filter_map(|assignment| assignment.source.register());
    read.chain(copied).map(|place| place.register)
}

#[test]
fn claims_hold_in_runs() {
    let cases = std::env::var("CASES").map_or(3_000, |cases| cases.parse().unwrap());
    let mut coverage = Coverage::default();
    for seed in 0..cases {
        check(seed, &mut coverage);
    }
    println!("{coverage:#?}");
    let Coverage { values, narrow, never, always, causal, guarded, dead, settled, turning, endless, stuck, inputs } =
        coverage;
    let counts = [
        ("values", values),
        ("narrow", narrow),
        ("never", never),
        ("always", always),
        ("causal", causal),
        ("guarded", guarded),
        ("dead", dead),
        ("settled", settled),
        ("turning", turning),
        ("endless", endless),
        ("stuck", stuck),
        ("inputs", inputs),
    ];
    for (claim, count) in counts {
        assert!(count > 100, "`{claim}` could have been wrong only {count} times");
    }
}

//! The coverage of the language by random runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::ControlFlow,
};

use psl_runtime::{Executable, Machine, Psm, Run, RunError, State, Task, Trace, Update};
use psl_syntax::{
    Span,
    program::{
        Assignment, CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production,
        Program, RegisterId, Repeat, Roles, Select, Statement, Until,
    },
};

use super::random::{MARK, POSITION};

/// The counts of all constructs, by their names.
#[derive(Debug, Default)]
pub struct Coverage {
    pub rows: BTreeMap<String, Row>,
}

/// The counts of one construct.
#[derive(Debug, Default)]
pub struct Row {
    /// The number of productions, blocks or runs that contain it.
    pub occurred: usize,
    /// The number of those in which it had an effect: a production with it attended to a cell, or it ended a block.
    pub fired: usize,
    /// The number of those in which the run differs without it: with a condition that always holds, the other
    /// selection, or a mask added or removed.
    pub decided: Option<usize>,
}

impl Coverage {
    pub fn count(&mut self, construct: impl Into<String>, fired: bool) {
        let row = self.rows.entry(construct.into()).or_default();
        row.occurred += 1;
        row.fired += usize::from(fired);
    }

    fn decide(&mut self, construct: String, decided: bool) {
        *self.rows.entry(construct).or_default().decided.get_or_insert_default() += usize::from(decided);
    }

    /// Counts the constructs in a run of all machines. `trace` is the trace of any of them.
    pub fn run(&mut self, executable: &Executable, task: &Task, answer: &Result<Run, RunError>, trace: &Trace) {
        let productions = executable.program.productions();
        let half = executable.program.constants.len().div_ceil(2);
        let mut layers: Vec<Vec<&Update>> = vec![Vec::new(); productions.len()];
        for update in &trace.updates {
            layers[update.layer.index()].push(update);
        }
        for (index, (production, updates)) in productions.iter().zip(&layers).enumerate() {
            self.production(production, half, updates);
            let changes = |change: &dyn Fn(&mut Production)| changes(&executable.program, index, change, task, trace);
            for (at, condition) in production.conditions.iter().enumerate() {
                let decided = changes(&|production| always(&mut production.conditions[at]));
                self.decide(format!("condition {}", shape(condition, half)), decided);
            }
            if production.binds_n() {
                self.decide(select(production), changes(&|production| production.select = other(production.select)));
            }
            let mask = match production.causal_attn {
                None | Some(CausalAttn::False) => Some(CausalAttn::True),
                Some(CausalAttn::True | CausalAttn::Reverse) => None,
            };
            self.decide(causal_attn(production), changes(&|production| production.causal_attn = mask));
        }
        let mut layer = 0;
        for statement in &executable.program.statements {
            self.statement(statement, &layers, &mut layer, 0, answer.is_ok());
        }
        self.passes(trace);
        let new = trace.updates.iter().map(|update| update.step).max().unwrap_or_default();
        self.count("run of a prompt of 8 symbols or more", task.input.cells.len() >= 8);
        self.count("run of a prompt of 20 symbols or more", task.input.cells.len() >= 20);
        let Roles { symbol, parse, eop, .. } = executable.registers.roles;
        let held = |cell: &State, role: Option<RegisterId>| role.and_then(|register| cell[index(register)]);
        let declared = executable.program.constants.iter().filter_map(|it| task.vocabulary.get(&it.value));
        let declared: BTreeSet<_> = declared.collect();
        let undeclared = |cell: &&State| held(cell, symbol).is_some_and(|value| !declared.contains(&value));
        let undeclared = task.input.cells.iter().filter(undeclared).count();
        self.count("run of a prompt of mostly undeclared symbols", 2 * undeclared > task.input.cells.len());
        self.count("run with three times the values that are declared", task.vocabulary.len() > 3 * declared.len());
        let further = |cell: &State| cell.iter().skip(MARK as usize).any(Option::is_some);
        self.count("run of a structured prompt", task.input.cells.iter().any(further));
        self.count(
            "run with a cell without a symbol",
            task.input.cells.iter().any(|cell| held(cell, symbol).is_none()),
        );
        let [one, end] = ["1", "EOP"].map(|text| task.vocabulary.get(text));
        let sets_role = |(place, cell): (usize, &State)| {
            let last = place + 1 == task.input.cells.len();
            parse.is_some() && held(cell, parse) != one || eop.is_some() && held(cell, eop) != end.filter(|_| last)
        };
        self.count("run whose prompt sets parse or eop", task.input.cells.iter().enumerate().any(sets_role));
        self.count("run with 5 generated cells or more", new >= 5);
        self.count("run with recompute", task.limits.recompute);
        let error = answer.as_ref().err();
        let cycle = error.and_then(|error| match error {
            RunError::Endless { cycle, .. } => Some(cycle),
            _ => None,
        });
        self.count("run to its end", answer.is_ok());
        self.count("run in an endless cycle", cycle.is_some_and(|cycle| !cycle.turning.is_empty()));
        self.count(
            "run that settles without the condition of its block",
            cycle.is_some_and(|cycle| cycle.turning.is_empty()),
        );
        self.count("run with too many passes", matches!(error, Some(RunError::TooManyPasses { .. })));
    }

    fn production(&mut self, production: &Production, half: usize, updates: &[&Update]) {
        let fired = updates.iter().any(|update| update.attends.is_some());
        for condition in &production.conditions {
            self.count(format!("condition {}", shape(condition, half)), fired);
            self.nulls(condition, updates);
        }
        for assignment in &production.assignments {
            let is_set = |update: &Update| update.set.iter().any(|(set, _)| *set == assignment.target);
            self.count(format!("assignment {}", source(assignment)), updates.iter().any(|update| is_set(update)));
            if assignment.source.register().is_some() && fired {
                let null = updates.iter().any(|update| update.attends.is_some() && !is_set(update));
                self.count("assignment of null", null);
            }
        }
        self.count(select(production), fired);
        self.count(causal_attn(production), fired);
        let lefts: Vec<_> = production.conditions.iter().map(|condition| condition.left).collect();
        if (1..lefts.len()).any(|at| lefts[at..].contains(&lefts[at - 1])) {
            self.count("production with two constraints of one register", fired);
        }
        if lefts.len() > 2 {
            self.count("production with three conditions or more", fired);
        }
    }

    /// A register that a layer has not set has its value from before it.
    fn nulls(&mut self, condition: &Condition, updates: &[&Update]) {
        for place in condition.registers().filter(|place| place.cell == Cell::Updated) {
            let at = index(place.register);
            let is_null = |update: &&&Update| update.state[at].is_none();
            let mut nulls = updates.iter().filter(is_null).peekable();
            if place != condition.left && matches!(condition.comparison, Comparison::IsNot(_)) {
                let differs = nulls.any(|update| update.attends.is_some());
                self.count("condition != null, which holds", differs);
            } else {
                self.count("condition on null, which refuses", nulls.peek().is_some());
            }
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        layers: &[Vec<&Update>],
        layer: &mut usize,
        depth: usize,
        ended: bool,
    ) {
        let Statement::Repeat(Repeat { until, body, .. }) = statement else {
            *layer += 1;
            return;
        };
        let first = *layer;
        for statement in body {
            self.statement(statement, layers, layer, depth + 1, ended);
        }
        let updates = || layers[first..*layer].iter().flatten();
        let several = (0..=depth).all(|at| updates().any(|update| update.pass.get(at).is_some_and(|pass| *pass > 1)));
        self.count(format!("repeat at depth {}, each block in several passes", depth + 1), several);
        if let Until::Conditions(conditions) = until {
            let n = if conditions.iter().any(Condition::mentions_n) { "with" } else { "without" };
            self.count(format!("until {n} n, ends its block"), ended);
            let repeated = updates().any(|update| update.pass.get(depth).is_some_and(|pass| *pass > 1));
            self.count("until ends its block in a later pass", ended && repeated);
        }
    }

    fn passes(&mut self, trace: &Trace) {
        let most = |in_prompt: bool| {
            let steps = trace.updates.iter().filter(move |update| (update.step == 0) == in_prompt);
            steps.filter_map(|update| update.pass.iter().max()).max().copied().unwrap_or_default()
        };
        if most(true) > 0 && most(false) > 0 {
            self.count("run with several passes in generation", most(false) > 1);
            self.count("run with more passes in generation than in the prompt", most(false) > most(true));
        }
    }
}

const fn index(register: RegisterId) -> usize {
    register.0 as usize
}

/// Whether changing a production changes the run.
fn changes(program: &Program, layer: usize, change: &dyn Fn(&mut Production), task: &Task, trace: &Trace) -> bool {
    let mut program = program.clone();
    nth(&mut program.statements, &mut { layer }).into_iter().for_each(change);
    let mut updates = trace.updates.iter();
    let mut same = true;
    let mut observer = |update: &Update| {
        same = updates.next() == Some(update);
        if same { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    // The result follows from the updates.
    let _ = Psm::new(&program, &task.vocabulary).run(&task.input, &task.limits, Some(&mut observer));
    !same || updates.next().is_some()
}

fn always(condition: &mut Condition) {
    let cell = if condition.mentions_n() { Cell::Source } else { Cell::Updated };
    let left = CellRegister { register: RegisterId(POSITION), cell };
    *condition = Condition { span: Span::default(), left, comparison: Comparison::Is(Operand::Register(left, None)) };
}

const fn other(select: Select) -> Select {
    match select {
        Select::Leftmost => Select::Rightmost,
        Select::Rightmost => Select::Leftmost,
    }
}

fn nth<'s>(statements: &'s mut [Statement], layer: &mut usize) -> Option<&'s mut Production> {
    for statement in statements {
        match statement {
            Statement::Production(production) if *layer == 0 => return Some(production),
            Statement::Production(_) => *layer -= 1,
            Statement::Repeat(repeat) => {
                if let Some(production) = nth(&mut repeat.body, layer) {
                    return Some(production);
                }
            }
        }
    }
    None
}

fn select(production: &Production) -> String {
    let select = if production.select == Select::Rightmost { "where_rm" } else { "where" };
    format!("production {select}{}", if production.binds_n() { "" } else { " without n" })
}

fn causal_attn(production: &Production) -> String {
    format!("production causal_attn {:?}", production.causal_attn)
}

fn cell(place: CellRegister) -> &'static str {
    if place.cell == Cell::Source { "n" } else { "N" }
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Constant(_) => "C".to_owned(),
        Operand::Register(place, None) => format!("y[{}]", cell(*place)),
        Operand::Register(place, Some(function)) => format!("y[{}]@{}", cell(*place), Function::as_str(*function)),
    }
}

/// The form of a condition. A list is long if it has at least `half` of the constants.
fn shape(condition: &Condition, half: usize) -> String {
    let list = |list: &[ConstantId]| if list.len() < half { "[..]" } else { "[half of all or more]" };
    let right = match &condition.comparison {
        Comparison::Is(right) => format!("== {}", operand(right)),
        Comparison::IsNot(right) => format!("!= {}", operand(right)),
        Comparison::In(constants) => format!("in {}", list(constants)),
        Comparison::NotIn(constants) => format!("not in {}", list(constants)),
    };
    format!("x[{}] {right}", cell(condition.left))
}

fn source(assignment: &Assignment) -> String {
    format!("x[N] = {}", operand(&assignment.source))
}

impl fmt::Display for Coverage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<60} {:>9} {:>9} {:>9}", "", "occurred", "fired", "decided")?;
        for (construct, Row { occurred, fired, decided }) in &self.rows {
            let decided = decided.map(|decided| decided.to_string()).unwrap_or_default();
            writeln!(out, "{construct:<60} {occurred:>9} {fired:>9} {decided:>9}")?;
        }
        Ok(())
    }
}

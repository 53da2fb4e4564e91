//! The names that changes write, and what they have to do with each other.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    mem,
};

use psl_runtime::Vocabulary;
use psl_syntax::{
    Checked,
    program::{Comparison, Condition, Operand, Program, RegisterId, Statement, TestPrompt, Until},
    token::{Kind, quote, tokenize},
};

/// The id of names that no register has.
pub const UNDECLARED: RegisterId = RegisterId(u32::MAX);

/// The names of a program, as they are written in conditions and assignments.
pub struct NameSorts {
    /// The constants, in the order of their declaration.
    pub constants: Vec<String>,
    /// The registers, in the order of their declaration.
    pub registers: Vec<String>,
    /// The number of each constant by its name without quotes, and of each register.
    constant_numbers: HashMap<String, usize>,
    register_numbers: HashMap<String, usize>,
    /// The sort of each register: registers that are compared with each other or assigned to each other have the same.
    sorts: Vec<usize>,
    /// The registers that the program does not use.
    unused: Vec<bool>,
    /// The constants that are compared with or assigned to a register of a sort, or that prompts and the machine set.
    used: HashSet<(usize, usize)>,
    /// The sorts with numbers among these constants.
    counting: HashSet<usize>,
    /// The constants that the program does not use.
    idle: Vec<bool>,
    /// The constants that are numbers.
    numbers: Vec<bool>,
    position: Option<usize>,
}

impl NameSorts {
    pub fn new(checked: &Checked) -> Self {
        let program = &checked.analysis.program;
        let mut sorts = Self {
            constants: program.constants.iter().map(|it| spelled(&it.name)).collect(),
            registers: program.registers.iter().map(|it| it.name.clone()).collect(),
            constant_numbers: numbered(program.constants.iter().map(|it| &it.name)),
            register_numbers: numbered(program.registers.iter().map(|it| &it.name)),
            sorts: (0..program.registers.len()).collect(),
            unused: vec![true; program.registers.len()],
            used: HashSet::new(),
            counting: HashSet::new(),
            idle: vec![true; program.constants.len()],
            numbers: program.constants.iter().map(|it| it.value.parse::<u32>().is_ok()).collect(),
            position: None,
        };
        sorts.learn(program);
        sorts.position = program.roles.position.and_then(|position| sorts.sort(position));
        sorts
    }

    /// Whether a constant is compared with or assigned to a register of the same sort, by their numbers. One that the
    /// program does not use fits every register, and a number fits one of positions or other numbers.
    pub fn fits(&self, register: RegisterId, constant: usize) -> bool {
        let is_number = || self.numbers.get(constant) == Some(&true);
        let sort = self.sorts.get(register.index());
        let holds_numbers = || self.holds_positions(register) || sort.is_some_and(|sort| self.counting.contains(sort));
        self.is_idle(constant)
            || (is_number() && holds_numbers())
            || sort.is_some_and(|sort| self.used.contains(&(*sort, constant)))
    }

    /// Whether two registers have the same sort. One that the program does not use is like every other.
    pub fn alike(&self, one: RegisterId, other: RegisterId) -> bool {
        self.sort(one) == self.sort(other) || self.is_unused(one) || self.is_unused(other)
    }

    /// Whether the program does not use a constant, by its number.
    pub fn is_idle(&self, constant: usize) -> bool {
        self.idle.get(constant) == Some(&true)
    }

    /// Whether the program does not use a register.
    pub fn is_unused(&self, register: RegisterId) -> bool {
        self.unused.get(register.index()) == Some(&true)
    }

    /// The register with a name, or [`UNDECLARED`].
    pub fn register(&self, name: &str) -> RegisterId {
        self.register_numbers.get(name).copied().map_or(UNDECLARED, RegisterId::new)
    }

    /// The registers.
    pub fn register_ids(&self) -> impl Iterator<Item = RegisterId> + use<> {
        (0..self.registers.len()).map(RegisterId::new)
    }

    /// The name of a register.
    pub fn name(&self, register: RegisterId) -> &str {
        self.registers.get(register.index()).map_or("", String::as_str)
    }

    /// Whether a register has the sort of the position, which functions map.
    pub fn holds_positions(&self, register: RegisterId) -> bool {
        self.position.is_some() && self.sort(register) == self.position
    }

    /// The number of the constant with a name.
    pub fn constant(&self, name: &str) -> Option<usize> {
        self.constant_numbers.get(name).copied()
    }

    fn learn(&mut self, program: &Program) {
        let mut uses = Vec::new();
        statements(&program.statements, &mut uses);
        for (register, operand) in &uses {
            self.mark_used(*register);
            if let Operand::Register(place, function) = operand {
                self.mark_used(place.register);
                self.join(*register, place.register);
                if let Some(position) = program.roles.position.filter(|_| function.is_some()) {
                    self.join(*register, position);
                }
            }
        }
        for register in 0..self.sorts.len() {
            self.root(register);
        }
        let constants = uses.into_iter().filter_map(|(register, operand)| match operand {
            Operand::Constant(constant) => Some((self.sort(register)?, constant.0 as usize)),
            Operand::Register(..) => None,
        });
        self.used = constants.collect();
        let prompts = program.tests.iter().filter_map(|test| match &test.prompt {
            TestPrompt::Plain(symbols) => Some(symbols.split_whitespace()),
            TestPrompt::Json(_) => None,
        });
        let symbols: BTreeSet<&str> = prompts.flatten().collect();
        if let Some(sort) = program.roles.symbol.and_then(|symbol| self.sort(symbol)) {
            let constants = program.constants.iter().enumerate();
            let known = constants.filter(|(_, constant)| symbols.contains(constant.value.as_str()));
            self.used.extend(known.map(|(constant, _)| (sort, constant)));
        }
        // The machine sets these.
        for (role, value) in [(program.roles.parse, Vocabulary::PARSE), (program.roles.eop, Vocabulary::EOP)] {
            let constant = program.constants.iter().position(|it| it.value == value);
            self.used.extend(role.and_then(|role| self.sort(role)).zip(constant));
        }
        for (sort, constant) in &self.used {
            if let Some(idle) = self.idle.get_mut(*constant) {
                *idle = false;
            }
            if self.numbers.get(*constant) == Some(&true) {
                self.counting.insert(*sort);
            }
        }
    }

    fn sort(&self, register: RegisterId) -> Option<usize> {
        self.sorts.get(register.index()).copied()
    }

    fn mark_used(&mut self, register: RegisterId) {
        if let Some(unused) = self.unused.get_mut(register.index()) {
            *unused = false;
        }
    }

    /// Gives two registers the same sort. Until all are joined, a sort is another register of the same sort, or its own
    /// number.
    fn join(&mut self, one: RegisterId, other: RegisterId) {
        let (one, other) = (self.root(one.index()), self.root(other.index()));
        if let Some(sort) = self.sorts.get_mut(other) {
            *sort = one;
        }
    }

    /// The register that stands for the sort of a register, which becomes its sort.
    fn root(&mut self, register: usize) -> usize {
        let mut root = register;
        while let Some(next) = self.sorts.get(root).filter(|next| **next != root) {
            root = *next;
        }
        let mut register = register;
        while let Some(next) = self.sorts.get_mut(register).filter(|next| **next != root) {
            register = mem::replace(next, root);
        }
        root
    }
}

/// The number of each name. The first of two equal ones counts.
fn numbered<'n>(names: impl Iterator<Item = &'n String>) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for (number, name) in names.enumerate() {
        found.entry(name.clone()).or_insert(number);
    }
    found
}

/// The registers with what they are compared with or receive. Recursion depth is the nesting of repeat blocks, which
/// the parser limits.
fn statements(body: &[Statement], uses: &mut Vec<(RegisterId, Operand)>) {
    for statement in body {
        match statement {
            Statement::Production(production) => {
                conditions(&production.conditions, uses);
                uses.extend(production.assignments.iter().map(|it| (it.target, it.source)));
            }
            Statement::Repeat(repeat) => {
                statements(&repeat.body, uses);
                if let Until::Conditions(until) = &repeat.until {
                    conditions(until, uses);
                }
            }
        }
    }
}

fn conditions(conditions: &[Condition], uses: &mut Vec<(RegisterId, Operand)>) {
    for condition in conditions {
        let register = condition.left.register;
        match &condition.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => uses.push((register, *operand)),
            Comparison::In(list) | Comparison::NotIn(list) => {
                uses.extend(list.iter().map(|constant| (register, Operand::Constant(*constant))));
            }
        }
    }
}

/// A constant in quotes, unless it is a plain name or number.
fn spelled(constant: &str) -> String {
    match tokenize(constant).code.as_slice() {
        [token] if matches!(token.kind, Kind::Name | Kind::Number) && token.span.of(constant) == constant => {
            constant.to_owned()
        }
        _ => quote(constant),
    }
}

/// The sentence of a replacement.
pub fn replaced(old: &str, new: &str) -> String {
    format!("Replace `{old}` with `{new}`")
}

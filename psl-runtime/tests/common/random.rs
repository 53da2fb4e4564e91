//! Random programs, valid by the static rules of the language, and random prompts for them, from a seed.

use std::sync::LazyLock;

use psl_runtime::{Cell as PromptCell, Options, Registers};
use psl_syntax::{
    Span,
    program::{
        Assignment, CausalAttn, Cell, CellRegister, Comparison, Condition, Constant, ConstantId, Function, Operand,
        Production, Program, Register, RegisterId, Repeat, Roles, Select, Statement, Until,
    },
};

/// Splitmix64.
pub struct Random {
    bits: u64,
    /// The number of constants of the last program.
    constants: usize,
}

const REGISTERS: [(&str, &str); 8] = [
    ("symbol", "s"),
    ("position", "p"),
    ("parse", "a"),
    ("eop", "z"),
    ("mark", "m"),
    ("copy", "c"),
    ("link", "l"),
    ("prev_symbol", "s*"),
];
pub const SYMBOL: u32 = 0;
pub const POSITION: u32 = 1;
const PARSE: u32 = 2;
const EOP: u32 = 3;
pub const MARK: u32 = 4;
const LINK: u32 = 6;

/// Two constants have the same value, one looks like a position, and one is not a position of any run.
const CONSTANTS: [(&str, &str); 9] = [
    ("A", "A"),
    ("B", "B"),
    ("X", "X"),
    ("1", "1"),
    ("2", "2"),
    ("EOP", "EOP"),
    ("Alpha", "A"),
    ("zero_two", "02"),
    ("far", "99"),
];
/// Constants that only some programs have. Most of them are positions of most runs.
const FURTHER: [&str; 22] = [
    "0", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "C", "D",
    "E",
];

const SYMBOLS: [&str; 5] = ["A", "B", "X", "C", "2"];

/// Symbols that few programs declare.
const WORDS: [&str; 24] = [
    "C", "D", "E", "F", "G", "0", "3", "7", "11", "14", "007", "-1", "1.0", "∅", "?", "????", "a", "s", "s`", "eop",
    "u", "v", "w", "alpha",
];

/// Numerals, at least two more than any prompt has cells.
static NUMERALS: LazyLock<Vec<String>> = LazyLock::new(|| (0..64).map(|number| number.to_string()).collect());

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { bits: seed, constants: CONSTANTS.len() }
    }

    fn next(&mut self) -> u64 {
        self.bits = self.bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.bits;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    pub fn program(&mut self) -> Program {
        let name = |&(name, short): &(&str, &str)| Register {
            name: name.into(),
            short: short.into(),
            span: Span::default(),
            short_span: Span::default(),
        };
        let constant =
            |&(name, value): &(&str, &str)| Constant { name: name.into(), value: value.into(), span: Span::default() };
        let mut constants = CONSTANTS.to_vec();
        if self.percent(40) {
            let (from, count) = (self.below(FURTHER.len() as u64), self.below(FURTHER.len() as u64 + 1));
            let further = FURTHER.iter().cycle().skip(from as usize).take(count as usize);
            constants.extend(further.map(|&text| (text, text)));
        }
        self.constants = constants.len();
        let mut statements = Vec::new();
        for _ in 0..3 + self.below(5) {
            statements.push(self.statement(0));
        }
        Program {
            registers: REGISTERS.iter().map(name).collect(),
            constants: constants.iter().map(constant).collect(),
            roles: Roles {
                symbol: Some(RegisterId(SYMBOL)),
                position: Some(RegisterId(POSITION)),
                output: Some(RegisterId(self.choose(&[SYMBOL, SYMBOL, MARK]))),
                parse: self.percent(90).then_some(RegisterId(PARSE)),
                eop: self.percent(90).then_some(RegisterId(EOP)),
            },
            statements,
            ..Program::default()
        }
    }

    /// A prompt of up to 8 symbols, sometimes 12. In some prompts, few symbols are declared.
    pub fn prompt(&mut self) -> Vec<&'static str> {
        let least = if self.percent(10) { 4 } else { 0 };
        let length = 1 + least + self.below(8);
        self.symbols(length)
    }

    /// A prompt of 20 to 50 symbols.
    pub fn long_prompt(&mut self) -> Vec<&'static str> {
        let length = 20 + self.below(31);
        self.symbols(length)
    }

    fn symbols(&mut self, length: u64) -> Vec<&'static str> {
        let undeclared = self.choose(&[0, 5, 5, 90]);
        (0..length)
            .map(|_| if self.percent(undeclared) { self.choose(&WORDS) } else { self.choose(&SYMBOLS) })
            .collect()
    }

    /// Whether the prompt sets further registers.
    pub fn next_is_structured(&mut self) -> bool {
        self.percent(50)
    }

    /// Further registers for a prompt's cells, as cell, register and value.
    pub fn further(&mut self, cells: usize, registers: &Registers) -> Vec<(usize, RegisterId, &'static str)> {
        let mut further = Vec::new();
        for cell in 0..cells {
            for register in MARK as usize..registers.len() {
                if !self.percent(40) {
                    continue;
                }
                let neighbors = [NUMERALS[cell].as_str(), NUMERALS[cell + 2].as_str()];
                let value = match self.below(10) {
                    0..7 if register == LINK as usize => self.choose(&neighbors),
                    _ => self.choose(&["A", "B", "X", "1", "2", "3"]),
                };
                further.push((cell, RegisterId::new(register), value));
            }
        }
        further
    }

    /// Makes some cells of a structured prompt odd: without a symbol, or with parse or eop set.
    pub fn odd_cells(&mut self, cells: &mut [PromptCell<'_>]) {
        for cell in cells {
            match self.below(12) {
                0 => cell.retain(|(register, _)| *register != RegisterId(SYMBOL)),
                1 => cell.push((RegisterId(self.choose(&[PARSE, EOP])), self.choose(&["1", "EOP", "A", "w"]))),
                _ => {}
            }
        }
    }

    pub fn options(&mut self) -> Options {
        Options {
            max_new: Some(self.choose(&[0, 1, 2, 3, 4, 4, 8])),
            stop: Some(self.choose(&["X", "."]).to_owned()),
            max_passes: Some(self.choose(&[3, 30, 30, 30])),
            recompute: self.percent(15),
            ..Options::default()
        }
    }

    /// Adds productions that random programs rarely have: repetitions, unchanged or with other values, and copies of
    /// the left neighbor's registers.
    pub fn echo(&mut self, program: &mut Program) {
        let productions: Vec<Production> = program.productions().into_iter().cloned().collect();
        for _ in 0..=self.below(3) {
            let mut echo = productions[self.below(productions.len() as u64) as usize].clone();
            match self.below(4) {
                0 => {}
                1 => echo.assignments.iter_mut().for_each(|assignment| assignment.source = self.constant()),
                2 => {
                    let here = CellRegister { register: RegisterId(POSITION), cell: Cell::Updated };
                    let comparison = Comparison::Is(Operand::Register(here, None));
                    echo.conditions = vec![Condition { span: Span::default(), left: here, comparison }];
                    echo.assignments.iter_mut().for_each(|assignment| assignment.source = self.constant());
                }
                _ => {
                    let there = CellRegister { register: RegisterId(POSITION), cell: Cell::Source };
                    let here = CellRegister { register: RegisterId(POSITION), cell: Cell::Updated };
                    let comparison = Comparison::Is(Operand::Register(here, Some(Function::PosDecrement)));
                    echo.conditions = vec![Condition { span: Span::default(), left: there, comparison }];
                    echo.assignments.truncate(1);
                    echo.assignments.iter_mut().for_each(|it| it.source = self.register(Cell::Source, None));
                }
            }
            self.insert(&mut program.statements, &echo);
        }
    }

    fn insert(&mut self, statements: &mut Vec<Statement>, production: &Production) {
        let at = self.below(statements.len() as u64 + 1) as usize;
        if let Some(Statement::Repeat(repeat)) = statements.get_mut(at)
            && self.percent(70)
        {
            self.insert(&mut repeat.body, production);
        } else {
            statements.insert(at, Statement::Production(production.clone()));
        }
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if depth == 3 || self.percent(75) {
            return Statement::Production(self.production());
        }
        let mut body = Vec::new();
        for _ in 0..=self.below(3) {
            body.push(self.statement(depth + 1));
        }
        let mut until = if self.percent(88) {
            Until::NoChange
        } else {
            let binds_n = self.percent(50);
            Until::Conditions(vec![self.condition_that(binds_n)])
        };
        match self.below(100) {
            0..8 => body.extend(Self::flip().map(Statement::Production)),
            8..14 => body.extend(Self::chain().map(Statement::Production)),
            14..26 => {
                let (productions, end) = self.wave();
                body.extend(productions.map(Statement::Production));
                if self.percent(50) {
                    until = Until::Conditions(end);
                }
            }
            _ => {}
        }
        let (span, keyword) = (Span::default(), Span::default());
        Statement::Repeat(Repeat { span, keyword, label: None, until, body })
    }

    /// Productions that change `mark` from A to B and from B to A.
    fn flip() -> [Production; 3] {
        let [mark, copy] = [MARK, 5].map(updated);
        [
            simple_production([is(updated(POSITION), register(updated(POSITION)))], 5, register(mark)),
            simple_production([is(copy, constant(0))], MARK, constant(1)),
            simple_production([is(copy, constant(1))], MARK, constant(0)),
        ]
    }

    /// Productions that take `mark` from A by way of B to X, one step per pass. A generated cell starts from A.
    fn chain() -> [Production; 3] {
        let mark = updated(MARK);
        [
            simple_production([is(mark, constant(1))], MARK, constant(2)),
            simple_production([is(mark, constant(0))], MARK, constant(1)),
            simple_production([is(updated(EOP), constant(5)), is(mark, constant(2))], MARK, constant(0)),
        ]
    }

    /// Productions that take a value from the first cell to the last, one cell per pass, and the conditions that hold
    /// at the end.
    fn wave(&mut self) -> ([Production; 2], Vec<Condition>) {
        let target = self.choose(&[MARK, 5, 7]);
        let here = updated(target);
        let there = CellRegister { cell: Cell::Source, ..here };
        let left_of = Operand::Register(updated(POSITION), Some(Function::PosDecrement));
        let position = CellRegister { register: RegisterId(POSITION), cell: Cell::Source };
        let productions = [
            simple_production([is(position, left_of), is(there, constant(0))], target, constant(0)),
            simple_production([is(updated(POSITION), constant(3))], target, constant(0)),
        ];
        let reached = if self.percent(50) { is(here, constant(0)) } else { is(there, register(here)) };
        (productions, vec![reached, is(updated(EOP), constant(5))])
    }

    fn production(&mut self) -> Production {
        let binds_n = self.percent(65);
        let conditions = self.conditions(binds_n);
        let mut targets = vec![SYMBOL, PARSE, EOP, MARK, MARK, 5, 5, 6, 6, 7, 7];
        let mut assignments = Vec::new();
        for _ in 0..=self.below(3) {
            let target = self.choose(&targets);
            targets.retain(|&it| it != target);
            let cell = if binds_n { Cell::Source } else { Cell::Updated };
            let source = match self.below(10) {
                _ if target == LINK && self.percent(60) => self.mapped(cell),
                0..4 => self.constant(),
                4..9 => self.register(cell, None),
                _ => self.mapped(cell),
            };
            assignments.push(Assignment { span: Span::default(), target: RegisterId(target), source });
        }
        let causal_attn =
            self.choose(&[None, None, Some(CausalAttn::True), Some(CausalAttn::False), Some(CausalAttn::Reverse)]);
        let select = self.choose(&[Select::Leftmost, Select::Rightmost]);
        production(conditions, assignments, causal_attn, select)
    }

    fn conditions(&mut self, binds_n: bool) -> Vec<Condition> {
        let mut conditions = vec![self.condition_that(binds_n)];
        for _ in 0..self.choose(&[0, 0, 0, 0, 0, 1, 1, 1, 2, 3]) {
            conditions.insert(self.below(2) as usize, self.condition(binds_n));
        }
        conditions
    }

    /// A condition that mentions `n` if `mentions_n` is set, and otherwise does not.
    fn condition_that(&mut self, mentions_n: bool) -> Condition {
        loop {
            let condition = self.condition(mentions_n);
            if condition.mentions_n() == mentions_n {
                return condition;
            }
        }
    }

    fn condition(&mut self, binds_n: bool) -> Condition {
        let cell = if binds_n { self.choose(&[Cell::Source, Cell::Updated]) } else { Cell::Updated };
        let other = match cell {
            Cell::Updated if binds_n => Cell::Source,
            _ => Cell::Updated,
        };
        let mut left = self.choose(&[SYMBOL, SYMBOL, SYMBOL, POSITION, POSITION, PARSE, EOP, MARK, 5, 6, 7]);
        let comparison = match self.below(20) {
            0..4 => Comparison::Is(Operand::Constant(self.likely(left))),
            4..7 => Comparison::IsNot(Operand::Constant(self.likely(left))),
            7..9 => Comparison::In(self.constants(left)),
            9..11 => Comparison::NotIn(self.constants(left)),
            11..14 => Comparison::Is(self.register(other, Some(RegisterId(left)))),
            14..16 => {
                if cell == other {
                    // A position never equals its successor.
                    left = LINK;
                    Comparison::Is(Operand::Register(updated(POSITION), Some(self.choose(&Function::ALL))))
                } else {
                    left = self.choose(&[POSITION, POSITION, POSITION, LINK]);
                    Comparison::Is(self.mapped(other))
                }
            }
            16..18 => Comparison::IsNot(self.register(other, None)),
            18 => Comparison::IsNot(self.mapped(other)),
            _ => Comparison::Is(self.register(other, None)),
        };
        Condition { span: Span::default(), left: CellRegister { register: RegisterId(left), cell }, comparison }
    }

    fn constant(&mut self) -> Operand {
        Operand::Constant(ConstantId(self.below(self.constants as u64) as u32))
    }

    /// A constant, usually one that the register may have.
    fn likely(&mut self, register: u32) -> ConstantId {
        let likely: &[u32] = match register {
            SYMBOL => &[0, 1, 2, 6],
            POSITION => &[3, 4],
            PARSE => &[3],
            EOP => &[5],
            _ => &[0, 1, 2, 3, 4, 6],
        };
        let any = self.below(self.constants as u64) as u32;
        ConstantId(if self.percent(80) { self.choose(likely) } else { any })
    }

    /// A few constants that the register may have, or any number of any constants.
    fn constants(&mut self, register: u32) -> Vec<ConstantId> {
        if self.percent(25) {
            let mut left: Vec<u32> = (0..self.constants as u32).collect();
            let all = left.len() as u64;
            let count = if self.percent(50) { all - self.below(4) } else { 1 + self.below(all) };
            let mut take = || left.swap_remove(self.below(left.len() as u64) as usize);
            return (0..count).map(|_| ConstantId(take())).collect();
        }
        (0..=self.below(3)).map(|_| self.likely(register)).collect()
    }

    /// A register of the cell, usually the `wanted` one.
    fn register(&mut self, cell: Cell, wanted: Option<RegisterId>) -> Operand {
        let other = RegisterId(self.below(REGISTERS.len() as u64) as u32);
        let register = wanted.filter(|_| self.percent(60)).unwrap_or(other);
        Operand::Register(CellRegister { register, cell }, None)
    }

    fn mapped(&mut self, cell: Cell) -> Operand {
        let register = RegisterId(self.choose(&[POSITION, POSITION, POSITION, LINK, SYMBOL]));
        Operand::Register(CellRegister { register, cell }, Some(self.choose(&Function::ALL)))
    }
}

fn updated(register: u32) -> CellRegister {
    CellRegister { register: RegisterId(register), cell: Cell::Updated }
}

fn register(place: CellRegister) -> Operand {
    Operand::Register(place, None)
}

fn constant(index: u32) -> Operand {
    Operand::Constant(ConstantId(index))
}

fn is(left: CellRegister, right: Operand) -> Condition {
    Condition { span: Span::default(), left, comparison: Comparison::Is(right) }
}

fn simple_production<const C: usize>(conditions: [Condition; C], target: u32, source: Operand) -> Production {
    let assignments = vec![Assignment { span: Span::default(), target: RegisterId(target), source }];
    production(conditions.into(), assignments, None, Select::Leftmost)
}

pub fn production(
    conditions: Vec<Condition>,
    assignments: Vec<Assignment>,
    causal_attn: Option<CausalAttn>,
    select: Select,
) -> Production {
    let (span, head) = (Span::default(), Span::default());
    Production {
        span,
        head,
        label: None,
        causal_attn,
        select,
        conditions,
        assignments,
        shares_layer: false,
        sound: true,
    }
}

/// Changes each production.
pub fn each(statements: &mut [Statement], change: &mut dyn FnMut(&mut Production)) {
    for statement in statements {
        match statement {
            Statement::Production(production) => change(production),
            Statement::Repeat(repeat) => each(&mut repeat.body, change),
        }
    }
}

/// Gives every production, condition and repeat block a different span, which identifies it in diagnostics.
pub fn place(program: &mut Program) {
    fn visit(statements: &mut [Statement], at: &mut u32) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    let start = *at;
                    for condition in &mut production.conditions {
                        *at += 1;
                        condition.span = Span::new(*at - 1, *at);
                    }
                    production.head = Span::new(start, *at);
                    for assignment in &mut production.assignments {
                        *at += 1;
                        assignment.span = Span::new(*at - 1, *at);
                    }
                }
                Statement::Repeat(repeat) => {
                    *at += 1;
                    repeat.keyword = Span::new(*at - 1, *at);
                    visit(&mut repeat.body, at);
                    *at += 1000;
                    if let Until::Conditions(conditions) = &mut repeat.until {
                        for condition in conditions {
                            condition.span = Span::new(*at, *at + 1);
                        }
                    }
                    *at += 1000;
                }
            }
        }
    }
    visit(&mut program.statements, &mut 0);
}

/// Sets `causal_attn` wherever it was set before, because PSL cannot unset it.
pub fn set_causal_attn(program: &mut Program) {
    fn visit(statements: &mut [Statement], set: &mut bool) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    if *set && production.causal_attn.is_none() {
                        production.causal_attn = Some(CausalAttn::False);
                    }
                    *set |= production.causal_attn.is_some();
                }
                Statement::Repeat(repeat) => visit(&mut repeat.body, set),
            }
        }
    }
    visit(&mut program.statements, &mut false);
}

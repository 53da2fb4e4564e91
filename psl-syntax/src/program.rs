//! A program with its names resolved: what the machines run and the compiler compiles.
//!
//! Registers and constants are referred to by their index in [`Program::registers`] and [`Program::constants`]. A
//! production counts as a layer even where it is broken ([`Production::sound`]), so that layer numbers hold in a file that
//! is being edited.

use std::collections::BTreeSet;

use crate::span::Span;

/// Index of a register in [`Program::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(pub u32);

/// Index of a constant in [`Program::constants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub u32);

/// A resolved program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The registers, in the order of their declaration.
    pub registers: Vec<Register>,
    /// The constants, in the order of their declaration.
    pub constants: Vec<Constant>,
    /// The registers that the machine itself sets and reads.
    pub roles: Roles,
    /// The registers to show in traces.
    pub watch: Vec<RegisterId>,
    /// Productions and repeat blocks, in program order.
    pub statements: Vec<Statement>,
    /// The symbol that ends a continuation (`//@ stop`), where the file names one.
    pub stop: Option<String>,
    /// The bound on a continuation's length in symbols (`//@ max-new`), where the file names one.
    pub max_new: Option<usize>,
    /// The registers that the cells of a structured prompt may set, or leave null (`//@ input`).
    pub input: BTreeSet<RegisterId>,
    /// The file's `//@ test` lines.
    pub tests: Vec<TestCase>,
}

/// A declared register, such as `prev_symbol: 's*'`.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// The long name, used in PSL.
    pub name: String,
    /// The short name, used in QKVL.
    pub short: String,
    /// Where the long name is declared.
    pub span: Span,
    /// Where the short name is declared.
    pub short_span: Span,
}

/// A declared constant, such as `SPACE: " "`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The name, used in PSL.
    pub name: String,
    /// The value, used in QKVL and in runs. Two values are equal exactly when their strings are.
    pub value: String,
    /// Where the name is declared.
    pub span: Span,
}

/// Which register plays which role in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Holds the prompt's symbol.
    pub symbol: Option<RegisterId>,
    /// Holds the cell's position, from 1.
    pub position: Option<RegisterId>,
    /// Is read out as the next symbol.
    pub output: Option<RegisterId>,
    /// Is set to `1` in every cell of the prompt.
    pub parse: Option<RegisterId>,
    /// Is set to `EOP` in the prompt's last cell.
    pub eop: Option<RegisterId>,
}

impl Roles {
    /// The roles by name, in the order in which the language lists them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<RegisterId>)> {
        [
            ("symbol", self.symbol),
            ("position", self.position),
            ("output", self.output),
            ("parse", self.parse),
            ("eop", self.eop),
        ]
        .into_iter()
    }

    /// Gives a role to a register, or to none; false where no role is called so.
    pub fn set(&mut self, role: &str, register: Option<RegisterId>) -> bool {
        let place = match role {
            "symbol" => &mut self.symbol,
            "position" => &mut self.position,
            "output" => &mut self.output,
            "parse" => &mut self.parse,
            "eop" => &mut self.eop,
            _ => return false,
        };
        *place = register;
        true
    }
}

/// A statement that runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// One layer.
    Production(Production),
    /// Layers that run again and again.
    Repeat(Repeat),
}

/// `where C: A`: one attention layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Production {
    /// From `where` to the last assignment.
    pub span: Span,
    /// From `where` to the colon before the assignments.
    pub head: Span,
    /// The comment line directly above, with its `#` or `//`.
    pub label: Option<String>,
    /// Which cells a cell may attend to; unset means all.
    pub causal_attn: Option<CausalAttn>,
    /// Which of several matching cells is attended to.
    pub select: Select,
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// What a match writes.
    pub assignments: Vec<Assignment>,
    /// False where an error was reported inside; conditions and assignments are then those that could be resolved.
    pub sound: bool,
}

impl Production {
    /// Whether a condition mentions the cell `n`. Without one, cell N is compared with itself.
    pub fn binds_n(&self) -> bool {
        self.conditions.iter().any(Condition::mentions_n)
    }
}

/// `causal_attn: …`: which cells n are visible from cell N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CausalAttn {
    /// Those with n <= N.
    True,
    /// All.
    False,
    /// Those with n >= N.
    Reverse,
}

impl CausalAttn {
    /// As PSL and QKVL spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Reverse => "reverse",
        }
    }
}

/// Which of several matching cells is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Select {
    /// `where` and `where_lm`.
    Leftmost,
    /// `where_rm`.
    Rightmost,
}

/// `repeat: … until …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// From `repeat` to the end of the `until` clause.
    pub span: Span,
    /// The `repeat` keyword.
    pub keyword: Span,
    /// The comment line directly above, with its `#` or `//`.
    pub label: Option<String>,
    /// When the block ends.
    pub until: Until,
    /// The statements inside.
    pub body: Vec<Statement>,
}

/// When a repeat block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// After a pass that changes no register of any cell.
    NoChange,
    /// After a pass from which some pair of cells (n, N) satisfies all conditions (n = N where none mentions n).
    Conditions(Vec<Condition>),
}

/// The cell that a register is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// `n`, the cell attended to.
    Source,
    /// `N`, the cell that is updated.
    Updated,
}

/// `register[cell]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The register.
    pub register: RegisterId,
    /// The cell.
    pub cell: Cell,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// From the left side to the end of the right side.
    pub span: Span,
    /// The left side.
    pub left: Place,
    /// What must hold of it.
    pub comparison: Comparison,
}

impl Condition {
    /// What it reads: the left side and, where that is a register too, the right one.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let right = match &self.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => operand.place(),
            Comparison::In(_) | Comparison::NotIn(_) => None,
        };
        std::iter::once(self.left).chain(right)
    }

    /// Whether either side is read from cell `n`.
    pub fn mentions_n(&self) -> bool {
        self.places().any(|place| place.cell == Cell::Source)
    }
}

/// What a condition says of its left side. Null follows the table in the language's section on values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `== right`.
    Is(Operand),
    /// `!= right`.
    IsNot(Operand),
    /// `in [...]`.
    In(Vec<ConstantId>),
    /// `not in [...]`.
    NotIn(Vec<ConstantId>),
}

/// A value: fixed, or read from a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// A constant's value.
    Constant(ConstantId),
    /// A register's value, mapped by the function where there is one.
    Register(Place, Option<Function>),
}

impl Operand {
    /// The register it reads.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Constant(_) => None,
            Self::Register(place, _) => Some(*place),
        }
    }
}

/// A map on positions; what is not a position of the run, or leaves their range, becomes null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// k to k + 1.
    PosIncrement,
    /// k to k - 1.
    PosDecrement,
}

impl Function {
    /// All functions there are.
    pub const ALL: [Self; 2] = [Self::PosIncrement, Self::PosDecrement];

    /// As PSL and QKVL spell it, without the `@`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PosIncrement => "pos_increment",
            Self::PosDecrement => "pos_decrement",
        }
    }

    /// The function of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.as_str() == name)
    }
}

/// `target[N] = source`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// From the target to the end of the source.
    pub span: Span,
    /// The register written, in cell N.
    pub target: RegisterId,
    /// Where the value comes from. Null changes nothing.
    pub source: Operand,
}

/// `//@ test name "prompt" => "gold"`, or `//@ test name json "FILE" => "gold"`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The whole directive.
    pub span: Span,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// What it runs on.
    pub prompt: TestPrompt,
    /// The expected continuation, symbols separated by spaces.
    pub gold: String,
}

/// What a test runs on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TestPrompt {
    /// Symbols separated by spaces.
    Plain(String),
    /// The file that holds a structured prompt, as the directive spells its path.
    Json(String),
}

impl Program {
    /// The register with that index.
    pub fn register(&self, id: RegisterId) -> Option<&Register> {
        self.registers.get(id.0 as usize)
    }

    /// The constant with that index.
    pub fn constant(&self, id: ConstantId) -> Option<&Constant> {
        self.constants.get(id.0 as usize)
    }

    /// Whether the machine itself gives the register a value, in every cell or in some.
    pub fn machine_sets(&self, id: RegisterId) -> bool {
        let Roles { symbol, position, parse, eop, .. } = self.roles;
        [symbol, position, parse, eop].contains(&Some(id))
    }

    /// Whether the cells of a structured prompt may set the register, or leave it null.
    pub fn is_input(&self, id: RegisterId) -> bool {
        self.input.contains(&id)
    }

    /// Whether the register holds a value in every cell at any time: the machine sets it, and no assignment makes it null.
    pub fn never_null(&self, id: RegisterId) -> bool {
        let Roles { symbol, position, parse, .. } = self.roles;
        [symbol, position, parse].contains(&Some(id)) && !self.is_input(id)
    }

    /// The productions in program order: entry `i` is layer `i + 1`.
    pub fn productions(&self) -> Vec<&Production> {
        productions(&self.statements)
    }
}

/// The productions among statements, those in repeat blocks too, in program order.
pub fn productions(statements: &[Statement]) -> Vec<&Production> {
    fn visit<'p>(statements: &'p [Statement], out: &mut Vec<&'p Production>) {
        for statement in statements {
            match statement {
                Statement::Production(production) => out.push(production),
                Statement::Repeat(repeat) => visit(&repeat.body, out),
            }
        }
    }
    let mut out = Vec::new();
    visit(statements, &mut out);
    out
}

//! A program with resolved names, which the machines run and the compiler compiles.
//!
//! Registers and constants are identified by their index in [`Program::registers`] and [`Program::constants`]. A
//! production with errors ([`Production::sound`]) counts as a layer, so that layer numbers stay the same while a file
//! is edited.

use std::collections::BTreeSet;

use crate::{
    index::{IndexVec, id, numbered_id},
    law::Law,
    span::Span,
};

id! {
    /// Index of a register in [`Program::registers`].
    pub RegisterId
}

id! {
    /// Index of a constant in [`Program::constants`].
    pub ConstantId
}

numbered_id! {
    /// Index of a production among those of a program, in program order, with those in repeat blocks.
    pub ProductionId
}

/// The symbol that ends a continuation unless another one is set.
pub const DEFAULT_STOP: &str = ".";

/// The value that the machine sets in the parse register.
pub const PARSING: &str = "1";
/// The value that the machine sets in the eop register.
pub const EOP: &str = "EOP";

/// A resolved program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The registers in declaration order.
    pub registers: IndexVec<RegisterId, Register>,
    /// The constants in declaration order.
    pub constants: IndexVec<ConstantId, Constant>,
    /// The registers that the machine sets and reads.
    pub roles: Roles,
    /// The registers to show in traces.
    pub watch: Vec<RegisterId>,
    /// Productions and repeat blocks, in program order.
    pub statements: Vec<Statement>,
    /// The symbol that ends a continuation (`//@ stop`), if the file sets one.
    pub stop: Option<String>,
    /// The maximum length of a continuation in symbols (`//@ max-new`), if the file sets one.
    pub max_new: Option<usize>,
    /// The registers that the cells of a structured prompt may set or leave null (`//@ input`).
    pub input: BTreeSet<RegisterId>,
    /// The register whose values in the prompt's cells are the answer of a row (`//@ answer`), if the file names one.
    pub answer: Option<RegisterId>,
    /// The file's `//@ test` and `//@ law` lines.
    pub tests: Vec<TestCase>,
}

/// A declared register, such as `prev_symbol: 's*'`.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// The long name, used in PSL.
    pub name: String,
    /// The short name, used in QKVL.
    pub short: String,
    /// The span of the long name in its declaration.
    pub span: Span,
    /// The span of the short name in its declaration.
    pub short_span: Span,
}

/// A declared constant, such as `SPACE: " "`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The name, used in PSL.
    pub name: String,
    /// The value, used in QKVL and in runs. Two values are equal if and only if their strings are.
    pub value: String,
    /// The span of the name in its declaration.
    pub span: Span,
}

/// The register of each role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Holds the symbol of the prompt.
    pub symbol: Option<RegisterId>,
    /// Holds the position of the cell, from 1.
    pub position: Option<RegisterId>,
    /// Provides the next symbol.
    pub output: Option<RegisterId>,
    /// Is set to `1` in every cell of the prompt.
    pub parse: Option<RegisterId>,
    /// Is set to `EOP` in the last cell of the prompt.
    pub eop: Option<RegisterId>,
}

impl Roles {
    /// The roles by name, in the order of the language.
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

    /// Gives a role to a register, or to none. Returns false if the role does not exist.
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
    /// Layers that run repeatedly.
    Repeat(Repeat),
}

/// `where C: A`: one attention head.
#[derive(Clone, Debug, PartialEq)]
pub struct Production {
    /// From `where` to the last assignment.
    pub span: Span,
    /// From `where` to the colon before the assignments.
    pub head: Span,
    /// The comment line directly above, including `#` or `//`.
    pub label: Option<String>,
    /// The cells that a cell may attend to. `None` means all.
    pub causal_attn: Option<CausalAttn>,
    /// The choice among several matching cells.
    pub select: Select,
    /// The conditions, which must all hold.
    pub conditions: Vec<Condition>,
    /// The assignments of a match.
    pub assignments: Vec<Assignment>,
    /// Whether the production shares the layer of the one before it, in the same list of statements. In source text,
    /// each production is a layer of its own.
    pub shares_layer: bool,
    /// Whether the production has no errors. If it has, conditions and assignments are the ones that could be resolved.
    pub sound: bool,
}

impl Production {
    /// Whether a condition mentions the cell `n`. Otherwise, cell N is compared with itself.
    pub fn binds_n(&self) -> bool {
        self.conditions.iter().any(Condition::mentions_n)
    }

    /// The registers that it reads, in the order of their declaration.
    pub fn registers_read(&self) -> BTreeSet<RegisterId> {
        let tested = self.conditions.iter().flat_map(Condition::registers);
        let copied = self.assignments.iter().filter_map(|assignment| assignment.source.register());
        tested.chain(copied).map(|place| place.register).collect()
    }
}

/// `causal_attn: …`: the cells n that are visible from cell N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CausalAttn {
    /// Those with n <= N.
    True,
    /// All cells.
    False,
    /// Those with n >= N.
    Reverse,
}

impl CausalAttn {
    /// The spelling in PSL and QKVL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Reverse => "reverse",
        }
    }
}

/// The choice among several matching cells.
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
    /// The comment line directly above, including `#` or `//`.
    pub label: Option<String>,
    /// The condition that ends the block.
    pub until: Until,
    /// The statements inside.
    pub body: Vec<Statement>,
}

/// The condition that ends a repeat block.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// After a pass that changes no register of any cell.
    NoChange,
    /// After a pass, if some pair of cells (n, N) satisfies all conditions. If no condition mentions n, n = N.
    Conditions(Vec<Condition>),
}

/// The cell that a register is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// `n`, the cell attended to.
    Source,
    /// `N`, the cell being updated.
    Updated,
}

/// A register of cell n or N: `register[cell]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellRegister {
    /// The register read.
    pub register: RegisterId,
    /// The cell that it is read from.
    pub cell: Cell,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// From the left side to the end of the right side.
    pub span: Span,
    /// The left side.
    pub left: CellRegister,
    /// The test of the left side.
    pub comparison: Comparison,
}

impl Condition {
    /// The registers it reads: the left side and, if it is a register, the right side.
    pub fn registers(&self) -> impl Iterator<Item = CellRegister> {
        let right = match &self.comparison {
            Comparison::Is(operand) | Comparison::IsNot(operand) => operand.register(),
            Comparison::In(_) | Comparison::NotIn(_) => None,
        };
        std::iter::once(self.left).chain(right)
    }

    /// Whether either side is read from cell `n`.
    pub fn mentions_n(&self) -> bool {
        self.registers().any(|place| place.cell == Cell::Source)
    }
}

/// The test of a condition on its left side. Null follows the table in `docs/reference/values.md`.
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
    /// The value of a register, mapped by the function if there is one.
    Register(CellRegister, Option<Function>),
}

impl Operand {
    /// The register it reads, or `None` for a constant.
    pub fn register(&self) -> Option<CellRegister> {
        match self {
            Self::Constant(_) => None,
            Self::Register(register, _) => Some(*register),
        }
    }
}

/// A function of positions. A value that is not a position, or a result out of range, becomes null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// k to k + 1.
    PosIncrement,
    /// k to k - 1.
    PosDecrement,
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 2] = [Self::PosIncrement, Self::PosDecrement];

    /// The spelling in PSL and QKVL, without `@`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PosIncrement => "pos_increment",
            Self::PosDecrement => "pos_decrement",
        }
    }

    /// The function with this name, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.as_str() == name)
    }
}

/// `target[N] = source`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// From the target to the end of the source.
    pub span: Span,
    /// The register to write, in cell N.
    pub target: RegisterId,
    /// The source of the value. Null changes nothing.
    pub source: Operand,
}

/// `//@ test name "prompt" => "gold"`, `//@ test name json "FILE" => "gold"` or `//@ law name "prompt" => "gold"`, each
/// with or without `row`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The whole directive.
    pub span: Span,
    /// The name, if there is one.
    pub name: Option<String>,
    /// The symbols of the prompt, or its file.
    pub prompt: TestPrompt,
    /// The expected continuation or row, symbols separated by spaces.
    pub gold: String,
    /// Whether the values of [`Program::answer`] in the prompt's cells are expected, in place of a continuation.
    pub row: bool,
    /// The law, if it is one. Prompt and expected continuation are then those of its shortest prompt.
    pub law: Option<Law>,
}

impl TestCase {
    /// The word of its directive.
    pub const fn kind(&self) -> &'static str {
        if self.law.is_some() { "law" } else { "test" }
    }
}

/// The prompt of a test: in the directive, or in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TestPrompt {
    /// Symbols separated by spaces.
    Plain(String),
    /// The file of a structured prompt, as written in the directive.
    Json(String),
}

impl Program {
    /// All registers, in declaration order.
    pub fn register_ids(&self) -> impl Iterator<Item = RegisterId> + use<> {
        self.registers.ids()
    }

    /// Whether the value of the register after the last layer is a result of the program: a symbol of the continuation
    /// or a value of the row.
    pub fn is_result(&self, id: RegisterId) -> bool {
        [self.roles.output, self.answer].contains(&Some(id))
    }

    /// Whether the machine gives the register a value, in every cell or in some.
    pub fn machine_sets(&self, id: RegisterId) -> bool {
        let Roles { symbol, position, parse, eop, .. } = self.roles;
        [symbol, position, parse, eop].contains(&Some(id))
    }

    /// Whether the cells of a structured prompt may set the register or leave it null.
    pub fn is_input(&self, id: RegisterId) -> bool {
        self.input.contains(&id)
    }

    /// Whether the register always has a value in every cell: the machine sets it, and no assignment can make it
    /// null.
    pub fn never_null(&self, id: RegisterId) -> bool {
        let Roles { symbol, position, parse, .. } = self.roles;
        [symbol, position, parse].contains(&Some(id)) && !self.is_input(id)
    }

    /// Whether a condition is `x[N] == x[N]`, with a register that is never null: what a production for every cell
    /// requires.
    pub fn holds_in_every_cell(&self, condition: &Condition) -> bool {
        let place = condition.left;
        place.cell == Cell::Updated
            && condition.comparison == Comparison::Is(Operand::Register(place, None))
            && self.never_null(place.register)
    }

    /// The productions in program order: entry `i` is layer `i + 1`.
    pub fn productions(&self) -> IndexVec<ProductionId, &Production> {
        productions(&self.statements).into()
    }

    /// Whether a value is one of the program's constants, its stop symbol, or set by the machine. Of the others, only
    /// numbers can be met: see [`crate::domains::met_values`].
    pub fn mentions(&self, value: &str) -> bool {
        self.constants.iter().any(|constant| constant.value == value)
            || self.stop.as_deref().unwrap_or(DEFAULT_STOP) == value
            || [PARSING, EOP].contains(&value)
    }

    /// The repeat blocks, in the order in which they open.
    pub fn repeats(&self) -> Vec<&Repeat> {
        repeats(&self.statements)
    }
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn repeats(statements: &[Statement]) -> Vec<&Repeat> {
    let blocks = statements.iter().filter_map(|statement| match statement {
        Statement::Repeat(repeat) => Some(repeat),
        Statement::Production(_) => None,
    });
    blocks.flat_map(|block| [vec![block], repeats(&block.body)].concat()).collect()
}

/// The productions among statements, including those in repeat blocks, in program order.
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

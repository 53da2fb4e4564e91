//! The writes and reads of each layer.
//!
//! Invariant: a program consists of its layers, numbered from 0 in program order, and its repeat blocks, each a range
//! of layers. Each register has a sorted list of its writes and reads. The cost of a question about a register
//! depends on the number of its uses, not on the layers that do not touch it.
//!
//! Invariant: a program with errors has no flow, because uses may be missing.

use std::{iter, ops::Range};

use rustc_hash::FxHashMap;

use crate::{
    index::IndexVec,
    names::{Access, Names, Symbol},
    program::{
        CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production, Program,
        RegisterId, Repeat, Statement, Until,
    },
    span::Span,
};

/// A program as layers, blocks and the uses of its registers.
pub struct Flow<'p> {
    pub program: &'p Program,
    pub names: &'p Names,
    pub layers: Vec<FlowLayer<'p>>,
    /// Ordered by start.
    pub blocks: Vec<FlowBlock<'p>>,
    pub uses: IndexVec<RegisterId, Uses>,
    pub canon: Canon,
}

/// A production as a layer.
pub struct FlowLayer<'p> {
    pub production: &'p Production,
    /// The innermost block around it.
    pub block: Option<usize>,
    /// The production's conditions in canonical form, sorted and without duplicates.
    pub conditions: Vec<Claim>,
    /// Whether every cell matches at least itself.
    pub everywhere: bool,
    /// Whether the layer attends to the cell to the left.
    pub looks_left: bool,
}

/// A condition without its span.
pub type Claim = (CellRegister, Comparison);

/// A repeat block.
pub struct FlowBlock<'p> {
    pub repeat: &'p Repeat,
    pub layers: Range<usize>,
    /// The innermost block around it.
    pub outer: Option<usize>,
}

/// The writes and reads of a register, in program order.
#[derive(Default)]
pub struct Uses {
    pub writes: Vec<Write>,
    pub reads: Vec<Read>,
    /// Whether traces may show its value after any layer.
    pub watched: bool,
}

/// An assignment to a register.
#[derive(Clone, Copy)]
pub struct Write {
    pub layer: usize,
    pub source: Operand,
    pub span: Span,
}

/// A condition or an assignment that reads a register.
#[derive(Clone, Copy)]
pub struct Read {
    /// The number of layers before it: the index of the layer that reads, or the end of the block whose `until`
    /// reads.
    pub layer: usize,
    /// The innermost block around it. An `until` is in its own block.
    pub block: Option<usize>,
    pub span: Span,
}

impl Uses {
    pub fn writes_in(&self, layers: Range<usize>) -> &[Write] {
        let start = self.writes.partition_point(|write| write.layer < layers.start);
        let end = self.writes.partition_point(|write| write.layer < layers.end);
        self.writes.get(start..end).unwrap_or_default()
    }

    /// Whether something reads the result of a write in layer `from`, up to and including layer `to`.
    pub fn read_between(&self, from: usize, to: usize) -> bool {
        let next = self.reads.partition_point(|read| read.layer <= from);
        self.reads.get(next).is_some_and(|read| read.layer <= to)
    }
}

impl<'p> Flow<'p> {
    pub fn new(program: &'p Program, names: &'p Names) -> Self {
        let mut uses: IndexVec<RegisterId, Uses> = program.registers.iter().map(|_| Uses::default()).collect();
        for watched in &program.watch {
            uses[*watched].watched = true;
        }
        let mut first_of_value = FxHashMap::default();
        let same_value = program
            .constants
            .iter()
            .enumerate()
            .map(|(at, constant)| *first_of_value.entry(constant.value.as_str()).or_insert(ConstantId::new(at)))
            .collect();
        let canon = Canon { same_value };
        let mut flow = Self {
            program,
            names,
            layers: Vec::with_capacity(program.statements.len()),
            blocks: Vec::new(),
            uses,
            canon,
        };
        flow.statements(&program.statements, None);
        flow
    }

    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &'p [Statement], block: Option<usize>) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production, block),
                Statement::Repeat(repeat) => {
                    let inner = self.blocks.len();
                    let start = self.layers.len();
                    self.blocks.push(FlowBlock { repeat, layers: start..start, outer: block });
                    self.statements(&repeat.body, Some(inner));
                    let end = self.layers.len();
                    if let Some(block) = self.blocks.get_mut(inner) {
                        block.layers = start..end;
                    }
                    if let Until::Conditions(conditions) = &repeat.until {
                        self.read_conditions(conditions, end, Some(inner));
                    }
                }
            }
        }
    }

    fn production(&mut self, production: &'p Production, block: Option<usize>) {
        let layer = self.layers.len();
        self.read_conditions(&production.conditions, layer, block);
        for assignment in &production.assignments {
            if let Some(place) = assignment.source.register() {
                self.read(place.register, Read { layer, block, span: assignment.span });
            }
        }
        for assignment in &production.assignments {
            let write = Write { layer, source: assignment.source, span: assignment.span };
            self.uses[assignment.target].writes.push(write);
        }
        let conditions = self.canon.conditions(&production.conditions);
        let everywhere = conditions.iter().all(|claim| holds_everywhere(self.program, claim));
        let looks_left = conditions.iter().any(|claim| is_left(self.program, claim));
        self.layers.push(FlowLayer { production, block, conditions, everywhere, looks_left });
    }

    fn read_conditions(&mut self, conditions: &[Condition], layer: usize, block: Option<usize>) {
        for condition in conditions {
            for place in condition.registers() {
                self.read(place.register, Read { layer, block, span: condition.span });
            }
        }
    }

    fn read(&mut self, register: RegisterId, read: Read) {
        self.uses[register].reads.push(read);
    }

    pub fn registers(&self) -> impl Iterator<Item = (RegisterId, &Uses)> {
        self.uses.ids().zip(self.uses.iter())
    }

    pub fn name(&self, register: RegisterId) -> &'p str {
        &self.program.registers[register].name
    }

    /// Whether no layer of a range writes the register.
    pub fn unwritten(&self, register: RegisterId, layers: Range<usize>) -> bool {
        self.uses[register].writes_in(layers).is_empty()
    }

    /// The given block and the blocks around it, innermost first.
    pub fn around(&self, block: Option<usize>) -> impl Iterator<Item = &FlowBlock<'p>> {
        let get = |block: Option<usize>| block.and_then(|block| self.blocks.get(block));
        iter::successors(get(block), move |block| get(block.outer))
    }

    /// The outermost of these blocks that does not contain the layer, if there is one.
    pub fn outermost_without(&self, block: Option<usize>, layer: usize) -> Option<&FlowBlock<'p>> {
        self.around(block).take_while(|block| !block.layers.contains(&layer)).last()
    }

    /// The span of the register's name in a condition or an assignment that reads it.
    pub fn name_in(&self, register: RegisterId, read: Span) -> Span {
        let references = self.names.within(read).iter();
        let mut reads = references.filter(|it| it.symbol == Symbol::Register(register) && it.access == Access::Read);
        reads.next().map_or(read, |reference| reference.span)
    }
}

/// Whether every cell satisfies the condition with itself.
fn holds_everywhere(program: &Program, (left, comparison): &Claim) -> bool {
    matches!(comparison, Comparison::Is(Operand::Register(right, None))
        if right.register == left.register && program.never_null(left.register))
}

/// Whether the condition fixes n to the cell to the left of N.
fn is_left(program: &Program, (left, comparison): &Claim) -> bool {
    let Some(register) = program.roles.position else { return false };
    let Comparison::Is(Operand::Register(right, Some(function))) = comparison else { return false };
    let [source, updated] = [Cell::Source, Cell::Updated].map(|cell| CellRegister { register, cell });
    match function {
        Function::PosDecrement => (*left, *right) == (source, updated),
        Function::PosIncrement => (*left, *right) == (updated, source),
    }
}

/// Normalizes conditions and assignments with the same meaning.
pub struct Canon {
    /// For each constant, the first one with the same value.
    same_value: IndexVec<ConstantId, ConstantId>,
}

impl Canon {
    fn conditions(&self, conditions: &[Condition]) -> Vec<Claim> {
        let mut claims: Vec<Claim> = conditions.iter().map(|condition| self.claim(condition)).collect();
        claims.sort_unstable();
        claims.dedup();
        claims
    }

    fn claim(&self, condition: &Condition) -> Claim {
        let left = condition.left;
        match &condition.comparison {
            // The order of two equal registers does not matter.
            Comparison::Is(Operand::Register(right, None)) if *right < left => {
                (*right, Comparison::Is(Operand::Register(left, None)))
            }
            Comparison::Is(right) => (left, Comparison::Is(self.operand(*right))),
            Comparison::IsNot(right) => (left, Comparison::IsNot(self.operand(*right))),
            Comparison::In(list) => (left, Comparison::In(self.list(list))),
            Comparison::NotIn(list) => (left, Comparison::NotIn(self.list(list))),
        }
    }

    fn list(&self, constants: &[ConstantId]) -> Vec<ConstantId> {
        let mut list: Vec<ConstantId> = constants.iter().map(|&id| self.constant(id)).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    pub fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Constant(id) => Operand::Constant(self.constant(id)),
            register @ Operand::Register(..) => register,
        }
    }

    fn constant(&self, id: ConstantId) -> ConstantId {
        self.same_value[id]
    }
}

impl FlowLayer<'_> {
    /// The cells that a cell may attend to, or `None` if it only sees itself.
    pub fn sees(&self) -> Option<CausalAttn> {
        self.production.binds_n().then(|| self.production.causal_attn.unwrap_or(CausalAttn::False))
    }

    /// The registers that its conditions read.
    pub fn tested(&self) -> impl Iterator<Item = RegisterId> {
        self.production.conditions.iter().flat_map(Condition::registers).map(|place| place.register)
    }
}

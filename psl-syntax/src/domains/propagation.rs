//! Propagation of values through a graph. Each node is a state of a register, created by a write, the head of a
//! repeat block or the start of a cell.

use std::{cell::LazyCell, collections::VecDeque, iter, mem, ops::Range};

use super::{
    at_point::DomainsAtPoint,
    domain::{Domain, Wide},
    point::ProgramPoint,
    table::{Domains, NodeId},
    values::{ValueId, Values},
};
use crate::{
    index::{IndexVec, id},
    names::{Access, Names, Symbol},
    program::{
        CellRegister, Comparison, Condition, Function, Operand, Production, ProductionId, Program, RegisterId, Repeat,
        Roles, Statement, Until,
    },
};

/// The possible values of the registers before each layer.
pub fn domains(program: &Program) -> Domains {
    let values = Values::new(program);
    let mut builder = Builder::new(program, &values);
    builder.statements(&program.statements);
    let Built { nodes, layers, untils, reads, .. } = builder.solve();
    Domains { values, nodes, layers, untils, reads }
}

/// The possible values of each register at one point of a program that may have errors. A condition that could not be
/// resolved may hold, and a value that could not be resolved may be any symbol.
pub fn domains_at(program: &Program, names: &Names, point: ProgramPoint) -> DomainsAtPoint {
    let values = Values::new(program);
    let mut builder = Builder::new(program, &values);
    builder.edited = Some(Edited { names, point, seen: None });
    builder.statements(&program.statements);
    let Built { nodes, seen, .. } = builder.solve();
    DomainsAtPoint { domains: seen.iter().map(|node| nodes[*node].clone()).collect(), values }
}

/// The possible values of a register in the cells of the prompt, before the first layer.
fn initial(program: &Program, values: &Values, register: RegisterId) -> Domain {
    let Roles { symbol, position, parse, eop, .. } = program.roles;
    if program.is_input(register) {
        return Domain { null: true, ..Domain::wide(Wide::Symbols) };
    }
    // One register may have several roles.
    let mut domain = if program.never_null(register) { Domain::default() } else { Domain::null() };
    for (role, value) in [
        (position, Domain::wide(Wide::CellPositions)),
        (symbol, Domain::wide(Wide::Symbols)),
        (parse, Domain::constant(values.parsing())),
        (eop, Domain::constant(values.eop())),
    ] {
        if role == Some(register) {
            domain.join(values, &value);
        }
    }
    domain
}

struct Builder<'p> {
    program: &'p Program,
    values: &'p Values,
    graph: Graph,
    /// The current state of each register.
    current: IndexVec<RegisterId, NodeId>,
    layers: IndexVec<ProductionId, Range<usize>>,
    untils: Vec<Range<usize>>,
    reads: Vec<(RegisterId, NodeId)>,
    /// `Some` for a program that may have errors.
    edited: Option<Edited<'p>>,
}

/// The request for a point of a program that may have errors.
struct Edited<'p> {
    names: &'p Names,
    point: ProgramPoint,
    /// The states of the registers at that point.
    seen: Option<IndexVec<RegisterId, NodeId>>,
}

/// All states with their values, and the places that read them.
struct Built {
    nodes: IndexVec<NodeId, Domain>,
    layers: IndexVec<ProductionId, Range<usize>>,
    untils: Vec<Range<usize>>,
    reads: Vec<(RegisterId, NodeId)>,
    seen: IndexVec<RegisterId, NodeId>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, values: &'p Values) -> Self {
        let mut graph = Graph::default();
        let current = program.register_ids().map(|register| graph.node(initial(program, values, register))).collect();
        let (layers, untils, reads) = (IndexVec::default(), Vec::new(), Vec::new());
        Self { program, values, graph, current, layers, untils, reads, edited: None }
    }

    fn solve(self) -> Built {
        let Self { values, mut graph, current, layers, untils, reads, edited, .. } = self;
        // A generated cell starts with the final state of the cell before it. Only the position is new.
        // The first nodes are the starts of the registers.
        for (start, &end) in graph.nodes.ids().zip(current.iter()) {
            if start != end {
                graph.stay(end, start);
            }
        }
        let seen = edited.and_then(|edited| edited.seen).unwrap_or(current);
        Built { nodes: graph.solve(values), layers, untils, reads, seen }
    }

    /// Records all states if this is the requested point.
    fn reach(&mut self, point: ProgramPoint) {
        if let Some(edited) = &mut self.edited
            && edited.point == point
        {
            edited.seen = Some(self.current.clone());
        }
    }

    /// Treats unresolved assignments of a production with errors as assignments of any symbol.
    fn unresolved_writes(&mut self, production: &Production) {
        let Some(names) = self.edited.as_ref().map(|edited| edited.names) else { return };
        for reference in names.within(production.span) {
            if let Symbol::Register(register) = reference.symbol
                && reference.access == Access::Write
                && !production.assignments.iter().any(|assignment| assignment.target == register)
            {
                let any = self.graph.node(Domain::wide(Wide::Symbols));
                self.graph.stay(self.state(register), any);
                self.set(register, any);
            }
        }
    }

    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production),
                Statement::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        // A block that only contains another block shares its start and end.
        let heads = if matches!(repeat.body.as_slice(), [Statement::Repeat(_)]) {
            Vec::new()
        } else {
            let mut written = Vec::new();
            collect_written(&repeat.body, &mut written);
            written.sort_unstable();
            written.dedup();
            written
        };
        let heads: Vec<(RegisterId, NodeId)> = heads
            .into_iter()
            .map(|register| {
                let head = self.graph.node(Domain::default());
                self.graph.stay(self.state(register), head);
                self.set(register, head);
                (register, head)
            })
            .collect();
        self.statements(&repeat.body);
        for (register, head) in heads {
            self.graph.stay(self.state(register), head);
        }
        let conditions: &[Condition] = match &repeat.until {
            Until::NoChange => &[],
            Until::Conditions(conditions) => conditions,
        };
        self.reach(ProgramPoint::Until(self.untils.len()));
        let range = self.record(conditions.iter().flat_map(Condition::registers).map(|place| place.register));
        self.untils.push(range);
    }

    fn production(&mut self, production: &Production) {
        self.reach(ProgramPoint::Layer(ProductionId::new(self.layers.len())));
        let read = production.conditions.iter().flat_map(Condition::registers);
        let sources = production.assignments.iter().filter_map(|assignment| assignment.source.register());
        // Targets are included, because whether a register can return to a value depends on its earlier value.
        let targets = production.assignments.iter().map(|assignment| assignment.target);
        let range = self.record(read.chain(sources).map(|place| place.register).chain(targets));
        self.layers.push(range);
        let conditions = LazyCell::new(|| by_place(&production.conditions));
        let always = production.sound && always_matches(self.program, production);
        let written: Vec<(RegisterId, NodeId)> = production
            .assignments
            .iter()
            .map(|assignment| {
                let before = self.state(assignment.target);
                let after = match assignment.source {
                    Operand::Constant(id) => self.graph.node(Domain::constant(self.values.of(id))),
                    Operand::Register(place, function) => {
                        let after = self.graph.node(Domain::default());
                        let narrowing = self.narrowing(&conditions, place, function);
                        self.graph.copy(self.state(place.register), after, narrowing);
                        after
                    }
                };
                if !(always && never_null(self.program, assignment.source)) {
                    self.graph.stay(before, after);
                }
                (assignment.target, after)
            })
            .collect();
        for (register, node) in written {
            self.set(register, node);
        }
        if !production.sound {
            self.unresolved_writes(production);
        }
    }

    /// Records the states of the registers that matter to a layer.
    fn record(&mut self, registers: impl Iterator<Item = RegisterId>) -> Range<usize> {
        let start = self.reads.len();
        for register in registers {
            let state = self.state(register);
            self.reads.push((register, state));
        }
        if let Some(reads) = self.reads.get_mut(start..) {
            reads.sort_unstable();
        }
        start..self.reads.len()
    }

    fn state(&self, register: RegisterId) -> NodeId {
        self.current[register]
    }

    fn set(&mut self, register: RegisterId, node: NodeId) {
        self.current[register] = node;
    }

    /// The values that conditions on a place allow for a copy of it.
    fn narrowing(
        &self,
        conditions: &[(CellRegister, &Condition)],
        place: CellRegister,
        function: Option<Function>,
    ) -> Narrowing {
        let mut narrowing = Narrowing { function, ..Narrowing::default() };
        let first = conditions.partition_point(|(other, _)| *other < place);
        for (_, condition) in
            conditions.get(first..).unwrap_or_default().iter().take_while(|(other, _)| *other == place)
        {
            match &condition.comparison {
                Comparison::Is(Operand::Constant(id)) => narrowing.keep.push(Domain::constant(self.values.of(*id))),
                Comparison::In(list) => narrowing.keep.push(Domain::list(self.values, list)),
                Comparison::IsNot(Operand::Constant(id)) => narrowing.drop.push(self.values.of(*id)),
                Comparison::NotIn(list) => narrowing.drop.extend(list.iter().map(|id| self.values.of(*id))),
                Comparison::Is(Operand::Register(right, mapped)) if condition.left == place => {
                    narrowing.meet.push((self.state(right.register), *mapped));
                }
                Comparison::Is(Operand::Register(_, None)) => {
                    narrowing.meet.push((self.state(condition.left.register), None));
                }
                Comparison::Is(Operand::Register(_, Some(_))) => narrowing.keep.push(Domain::wide(Wide::Positions)),
                Comparison::IsNot(Operand::Register(..)) => {}
            }
        }
        narrowing
    }
}

/// The conditions on each place, sorted by place.
fn by_place(conditions: &[Condition]) -> Vec<(CellRegister, &Condition)> {
    let both_sides = |condition| Condition::registers(condition).map(move |place| (place, condition));
    let mut conditions: Vec<(CellRegister, &Condition)> = conditions.iter().flat_map(both_sides).collect();
    conditions.sort_by_key(|(place, _)| *place);
    conditions
}

fn collect_written(statements: &[Statement], written: &mut Vec<RegisterId>) {
    for statement in statements {
        match statement {
            Statement::Production(production) => {
                written.extend(production.assignments.iter().map(|assignment| assignment.target));
            }
            Statement::Repeat(repeat) => collect_written(&repeat.body, written),
        }
    }
}

/// Whether a production matches in every cell, because it only compares a register that is never null with itself.
fn always_matches(program: &Program, production: &Production) -> bool {
    production.conditions.iter().all(|condition| program.holds_in_every_cell(condition))
}

/// Whether a source always has a value.
fn never_null(program: &Program, source: Operand) -> bool {
    match source {
        Operand::Constant(_) => true,
        Operand::Register(place, None) => program.never_null(place.register),
        Operand::Register(_, Some(_)) => false,
    }
}

/// The values that a copy lets through.
#[derive(Debug, Default)]
struct Narrowing {
    keep: Vec<Domain>,
    drop: Vec<ValueId>,
    meet: Vec<(NodeId, Option<Function>)>,
    function: Option<Function>,
}

impl Narrowing {
    fn apply(&self, values: &Values, from: &Domain, nodes: &IndexVec<NodeId, Domain>) -> Domain {
        let mut domain = Domain { null: false, ..from.clone() };
        for keep in &self.keep {
            domain = domain.meet(values, keep);
        }
        for (other, function) in &self.meet {
            domain = domain.meet(values, &nodes[*other].shifted(values, *function));
        }
        domain.constants.retain(|id| !self.drop.contains(id));
        domain = domain.shifted(values, self.function);
        // Assigning null changes nothing.
        Domain { null: false, ..domain }
    }
}

#[derive(Default)]
struct Graph {
    nodes: IndexVec<NodeId, Domain>,
    edges: IndexVec<EdgeId, Edge>,
    narrowings: IndexVec<NarrowingId, Narrowing>,
}

id!(EdgeId);
id!(NarrowingId);

#[derive(Clone, Copy)]
struct Edge {
    from: NodeId,
    to: NodeId,
    /// The narrowing of a copy. `None` if the register keeps its state, including null.
    narrowing: Option<NarrowingId>,
}

impl Graph {
    fn node(&mut self, domain: Domain) -> NodeId {
        self.nodes.push(domain)
    }

    fn stay(&mut self, from: NodeId, to: NodeId) {
        self.edges.push(Edge { from, to, narrowing: None });
    }

    fn copy(&mut self, from: NodeId, to: NodeId, narrowing: Narrowing) {
        let narrowing = Some(self.narrowings.push(narrowing));
        self.edges.push(Edge { from, to, narrowing });
    }

    /// Propagates values until nothing changes.
    fn solve(self, values: &Values) -> IndexVec<NodeId, Domain> {
        let Self { mut nodes, edges, narrowings } = self;
        let narrowing = |edge: &Edge| edge.narrowing.map(|at| &narrowings[at]);
        let mut out = Outgoing::new(nodes.len(), edges.len());
        // Pushing the last edge first keeps each list in the order of the edges.
        for at in edges.ids().rev() {
            let edge = &edges[at];
            let met = narrowing(edge).into_iter().flat_map(|by| &by.meet).map(|(other, _)| *other);
            met.chain([edge.from]).for_each(|from| out.push(from, at));
        }
        let mut queue: VecDeque<NodeId> = nodes.ids().collect();
        let mut queued: IndexVec<NodeId, bool> = vec![true; nodes.len()].into();
        while let Some(node) = queue.pop_front() {
            queued[node] = false;
            for edge in out.of(node) {
                let edge = &edges[edge];
                if flow(&mut nodes, values, edge, narrowing(edge)) && !mem::replace(&mut queued[edge.to], true) {
                    queue.push_back(edge.to);
                }
            }
        }
        nodes
    }
}

/// Linked lists of the edges that leave each node.
struct Outgoing {
    /// The first link of each node.
    first: IndexVec<NodeId, Option<LinkId>>,
    /// An edge and the next link.
    links: IndexVec<LinkId, (EdgeId, Option<LinkId>)>,
}

id!(LinkId);

impl Outgoing {
    fn new(nodes: usize, edges: usize) -> Self {
        Self { first: vec![None; nodes].into(), links: Vec::with_capacity(edges).into() }
    }

    /// Adds an edge at the front of the list of a node.
    fn push(&mut self, from: NodeId, edge: EdgeId) {
        let next = self.first[from];
        self.first[from] = Some(self.links.push((edge, next)));
    }

    fn of(&self, node: NodeId) -> impl Iterator<Item = EdgeId> {
        let link = |at: Option<LinkId>| Some(self.links[at?]);
        iter::successors(link(self.first[node]), move |(_, next)| link(*next)).map(|(edge, _)| edge)
    }
}

/// Propagates values along one edge. Returns whether anything changed.
fn flow(nodes: &mut IndexVec<NodeId, Domain>, values: &Values, edge: &Edge, narrowing: Option<&Narrowing>) -> bool {
    let Edge { from, to, .. } = *edge;
    if from == to {
        return false;
    }
    // Moving the target out avoids a copy of the values.
    let mut target = mem::take(&mut nodes[to]);
    let grown = match narrowing {
        Some(narrowing) => target.join(values, &narrowing.apply(values, &nodes[from], nodes)),
        None => target.join(values, &nodes[from]),
    };
    nodes[to] = target;
    grown
}

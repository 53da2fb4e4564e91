//! `may-not-terminate`: repeat blocks that may not end, because a register of some cell can return to an earlier
//! value, or because nothing in the block changes what its `until` reads.
//!
//! A register settles if its values only move forward, if all registers that its writes read have settled, or if it
//! depends on itself only through cells further to one side, so that one cell settles after another.

use petgraph::{
    Graph,
    algo::{kosaraju_scc, toposort},
    graph::NodeIndex,
    visit::EdgeRef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    causality::{Reach, end_marks_last_cell, fixed_to_first, reach, requires_end},
    codes::Code,
    diagnostic::Diagnostic,
    domains::{Domain, Domains, Proved, ValueId, Verdict, Verdicts},
    facts::Facts,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, Function, Operand, Production, ProductionId, Program,
        RegisterId, Repeat, Statement, Until, productions,
    },
};

/// A register with more transitions between values counts as one that can return to an earlier value.
const MAX_TRANSITIONS: usize = 4096;

/// Maximum number of registers named, and of places with a label.
const MOST: usize = 8;

/// A warning for each block, or for the innermost one if they are nested.
pub fn may_not_terminate(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let Facts { program, domains, verdicts, .. } = *facts;
    let last_is_marked = end_marks_last_cell(program);
    let assignments = program.productions().into_iter().flat_map(|it| &it.assignments);
    let written = assignments.map(|assignment| assignment.target).collect();
    let (layer, block, found) = (0, 0, Vec::new());
    let mut visitor = Visitor { program, domains, verdicts, last_is_marked, written, layer, block, found };
    visitor.statements(&program.statements, false);
    visitor.found
}

struct Visitor<'p> {
    program: &'p Program,
    domains: &'p Domains,
    verdicts: &'p Verdicts,
    /// Whether the eop register distinguishes the last cell of the prompt.
    last_is_marked: bool,
    /// The registers that some production writes.
    written: FxHashSet<RegisterId>,
    layer: usize,
    block: usize,
    found: Vec<Diagnostic>,
}

impl<'p> Visitor<'p> {
    /// `settled` is whether the surrounding block is known to settle. Recursion depth is the nesting of repeat
    /// blocks, which the parser limits.
    fn statements(&mut self, statements: &'p [Statement], settled: bool) {
        for statement in statements {
            match statement {
                Statement::Production(_) => self.layer += 1,
                Statement::Repeat(repeat) => self.repeat(repeat, settled),
            }
        }
    }

    /// If a block settles, so do its inner blocks. If an inner block does not, only that one is reported.
    fn repeat(&mut self, repeat: &'p Repeat, settled: bool) {
        let before = self.found.len();
        let unsettled = (!settled)
            .then(|| BlockFacts::new(self.program, self.domains, repeat, self.layer))
            .map(|block| (block.unsettled(), block))
            .filter(|(registers, _)| !registers.is_empty());
        self.statements(&repeat.body, unsettled.is_none());
        let proved = self.verdicts.untils.get(self.block);
        self.block += 1;
        if let Until::Conditions(conditions) = &repeat.until
            && let Some(proved) = proved
            && !self.is_reported(conditions, proved)
            && !writes_any(repeat, conditions)
            && !self.hold_somewhere(conditions, &proved.conditions)
        {
            self.found.push(stuck(repeat, conditions));
        } else if let Some((registers, block)) = unsettled
            && self.found.len() == before
        {
            self.found.push(block.report(repeat, &registers));
        }
    }

    /// Whether conditions that never hold have their own report: those that no value satisfies, and those that read a
    /// register that is never written. A register that is only ever assigned null has none.
    fn is_reported(&self, conditions: &[Condition], proved: &Proved) -> bool {
        let written = |place: CellRegister| self.written.contains(&place.register);
        proved.contradiction.is_some()
            || conditions.iter().zip(&proved.conditions).any(|(condition, verdict)| match verdict {
                Verdict::Never => true,
                Verdict::Unset => !condition.registers().all(written),
                Verdict::Open | Verdict::Always => false,
            })
    }

    /// Whether the conditions are proved to hold if n and N are both the first cell, or both the last cell of the
    /// prompt.
    fn hold_somewhere(&self, conditions: &[Condition], verdicts: &[Verdict]) -> bool {
        let program = self.program;
        let all = |in_that_cell: &dyn Fn(&Condition) -> bool| {
            conditions.iter().zip(verdicts).all(|(condition, verdict)| {
                *verdict == Verdict::Always || compares_with_itself(program, condition) || in_that_cell(condition)
            })
        };
        all(&|condition| fixed_to_first(program, condition))
            || (self.last_is_marked && all(&|condition| requires_end(program, condition)))
    }
}

/// Whether a condition holds whenever n is N, because it compares a register that always has a value with itself.
fn compares_with_itself(program: &Program, condition: &Condition) -> bool {
    matches!(condition.comparison, Comparison::Is(Operand::Register(right, None))
        if right.register == condition.left.register && program.never_null(right.register))
}

/// Whether the block writes a register that the conditions read.
fn writes_any(repeat: &Repeat, conditions: &[Condition]) -> bool {
    let read: FxHashSet<RegisterId> =
        conditions.iter().flat_map(Condition::registers).map(|place| place.register).collect();
    let mut assignments = productions(&repeat.body).into_iter().flat_map(|production| &production.assignments);
    assignments.any(|assignment| read.contains(&assignment.target))
}

fn stuck(repeat: &Repeat, conditions: &[Condition]) -> Diagnostic {
    let message = "this repeat block may never end: nothing in it writes a register that its `until` reads";
    Diagnostic::new(Code::MayNotTerminate, repeat.keyword, message)
        .labels(conditions.iter().map(|condition| condition.span), "if this is false, it stays false")
        .help(
            "write such a register in the block, or end the block with `until NO_CHANGE`; if the conditions hold before the \
             block, write `//@ allow may-not-terminate` on the line above `repeat`",
        )
}

struct BlockFacts<'p> {
    program: &'p Program,
    domains: &'p Domains,
    /// The layers in the block.
    layers: Vec<(ProductionId, &'p Production)>,
    writes: FxHashMap<RegisterId, Vec<(ProductionId, &'p Production, &'p Assignment)>>,
}

impl<'p> BlockFacts<'p> {
    fn new(program: &'p Program, domains: &'p Domains, repeat: &'p Repeat, first: usize) -> Self {
        let layers: Vec<_> = (first..).map(ProductionId::new).zip(productions(&repeat.body)).collect();
        let mut writes: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for &(layer, production) in &layers {
            for assignment in &production.assignments {
                writes.entry(assignment.target).or_default().push((layer, production, assignment));
            }
        }
        Self { program, domains, layers, writes }
    }

    /// The registers that can return to an earlier value, in declaration order.
    fn unsettled(&self) -> Vec<RegisterId> {
        let mut graph = Graph::<Option<RegisterId>, Reach>::new();
        let mut nodes: FxHashMap<RegisterId, NodeIndex> = FxHashMap::default();
        for register in self.writes.keys().copied().filter(|register| !self.goes_forward(*register)) {
            nodes.insert(register, graph.add_node(Some(register)));
        }
        for (_, production) in &self.layers {
            let mut targets = production.assignments.iter().filter(|assignment| nodes.contains_key(&assignment.target));
            let Some(first) = targets.next() else { continue };
            // A single node for all registers that the conditions read keeps the number of edges linear.
            let conditions = graph.add_node(None);
            let n = reach(self.program, production);
            let at = |place: CellRegister| if place.cell == Cell::Source { n } else { Reach::Same };
            for place in production.conditions.iter().flat_map(Condition::registers) {
                if let Some(read) = nodes.get(&place.register) {
                    graph.add_edge(conditions, *read, at(place));
                }
            }
            for assignment in std::iter::once(first).chain(targets) {
                let Some(&target) = nodes.get(&assignment.target) else { continue };
                graph.add_edge(target, conditions, Reach::Same);
                if let Some(place) = assignment.source.register()
                    && let Some(read) = nodes.get(&place.register)
                {
                    graph.add_edge(target, *read, at(place));
                }
            }
        }
        let mut unsettled: Vec<RegisterId> = circles(&graph)
            .into_iter()
            .filter(|circle| !one_way(&graph, circle))
            .flatten()
            .filter_map(|node| graph.node_weight(node).copied().flatten())
            .collect();
        unsettled.sort_unstable();
        unsettled
    }

    /// Whether a register never returns to an earlier value, regardless of the other registers.
    fn goes_forward(&self, register: RegisterId) -> bool {
        let Some(writes) = self.writes.get(&register) else { return true };
        let own = CellRegister { register, cell: Cell::Updated };
        if let Some((_, production, first)) = writes.first()
            && let Some(function) = step(production, first)
            && writes.iter().all(|(_, production, assignment)| step(production, assignment) == Some(function))
        {
            return true;
        }
        let mut steps = Vec::with_capacity(writes.len());
        for (layer, production, assignment) in writes {
            let before = self.restricted(*layer, production, own);
            let after = match assignment.source {
                Operand::Constant(id) => Domain::constant(self.domains.values.of(id)),
                Operand::Register(place, None) => self.restricted(*layer, production, place),
                Operand::Register(_, Some(_)) => return false,
            };
            if before.wide.is_some() {
                return false;
            }
            steps.push((before.constants, after));
        }
        // A cycle only has values that some write starts from, so these are enough of a domain with more values.
        let starts: FxHashSet<ValueId> = steps.iter().flat_map(|(before, _)| before).copied().collect();
        let mut transitions: FxHashSet<(ValueId, ValueId)> = FxHashSet::default();
        for (before, mut after) in steps {
            if after.wide.is_some() {
                let held = starts.iter().filter(|value| after.holds(&self.domains.values, **value));
                after.constants = held.copied().collect();
            }
            for from in &before {
                transitions.extend(after.constants.iter().filter(|to| *to != from).map(|to| (*from, *to)));
            }
            if transitions.len() > MAX_TRANSITIONS {
                return false;
            }
        }
        let mut graph = Graph::<(), ()>::new();
        let mut nodes: FxHashMap<ValueId, NodeIndex> = FxHashMap::default();
        for (from, to) in transitions {
            let [from, to] = [from, to].map(|value| *nodes.entry(value).or_insert_with(|| graph.add_node(())));
            graph.add_edge(from, to, ());
        }
        toposort(&graph, None).is_ok()
    }

    /// The possible values of a place when the production matches.
    fn restricted(&self, layer: ProductionId, production: &Production, place: CellRegister) -> Domain {
        let values = &self.domains.values;
        let mut domain = self.domains.before(layer, place.register).cloned().unwrap_or_default();
        for condition in production.conditions.iter().filter(|condition| condition.left == place) {
            match &condition.comparison {
                Comparison::Is(Operand::Constant(id)) => domain = domain.meet(values, &Domain::list(values, &[*id])),
                Comparison::In(list) => domain = domain.meet(values, &Domain::list(values, list)),
                Comparison::IsNot(Operand::Constant(id)) => domain.constants.retain(|value| *value != values.of(*id)),
                Comparison::NotIn(list) => {
                    let list = Domain::list(values, list);
                    domain.constants.retain(|value| list.constants.binary_search(value).is_err());
                }
                Comparison::Is(Operand::Register(..)) | Comparison::IsNot(Operand::Register(..)) => {}
            }
        }
        domain
    }

    fn report(&self, repeat: &Repeat, unsettled: &[RegisterId]) -> Diagnostic {
        let name = |id: &RegisterId| &self.program.registers[*id].name;
        let mut names: Vec<String> = unsettled.iter().take(MOST).map(|id| format!("`{}`", name(id))).collect();
        if unsettled.len() > MOST {
            names.push(format!("{} others", unsettled.len() - MOST));
        }
        let ends = if repeat.until == Until::NoChange { "settle" } else { "end" };
        let message =
            format!("this repeat block may never {ends}: {} can return to an earlier value", names.join(" or "));
        let found = Diagnostic::new(Code::MayNotTerminate, repeat.keyword, message).help(
            "add a condition so that no assignment restores an earlier value, or, if you know that it settles, write \
             `//@ allow may-not-terminate` on the line above `repeat`",
        );
        let mut writes: Vec<_> = unsettled.iter().filter_map(|id| Some((id, self.writes.get(id)?))).collect();
        writes.truncate(MOST);
        let labels = writes.into_iter().flat_map(|(id, writes)| {
            writes.iter().map(move |(_, _, assignment)| (assignment.span, format!("`{}` is set here", name(id))))
        });
        labels.take(MOST).fold(found, |found, (span, message)| found.label(span, message))
    }
}

/// The function that an assignment applies to its target, by itself or because a condition compares the source with
/// the target.
fn step(production: &Production, assignment: &Assignment) -> Option<Function> {
    let Operand::Register(source, function) = assignment.source else { return None };
    let target = CellRegister { register: assignment.target, cell: Cell::Updated };
    if source == target {
        return function;
    }
    let compared = production.conditions.iter().find_map(|condition| match condition.comparison {
        Comparison::Is(Operand::Register(right, compared)) if condition.left == source && right == target => compared,
        _ => None,
    });
    compared.filter(|_| function.is_none())
}

/// The strongly connected components that contain a cycle.
fn circles(graph: &Graph<Option<RegisterId>, Reach>) -> Vec<Vec<NodeIndex>> {
    let mut parts = kosaraju_scc(graph);
    parts.retain(|part| match part.as_slice() {
        [node] => graph.contains_edge(*node, *node),
        _ => true,
    });
    parts
}

/// Whether every cycle in a component moves to cells on one side, either left or right.
fn one_way(graph: &Graph<Option<RegisterId>, Reach>, part: &[NodeIndex]) -> bool {
    let inside: FxHashSet<NodeIndex> = part.iter().copied().collect();
    let edges =
        || part.iter().flat_map(|node| graph.edges(*node)).filter(|edge| inside.contains(&EdgeRef::target(edge)));
    [(Reach::Left, Reach::NotAfter), (Reach::Right, Reach::NotBefore)].into_iter().any(|(further, within)| {
        if !edges().all(|edge| [further, within, Reach::Same].contains(edge.weight())) {
            return false;
        }
        let mut standing = Graph::<(), ()>::new();
        let mut nodes: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
        for edge in edges().filter(|edge| *edge.weight() != further) {
            let ends = [edge.source(), edge.target()];
            let [from, to] = ends.map(|node| *nodes.entry(node).or_insert_with(|| standing.add_node(())));
            standing.add_edge(from, to, ());
        }
        toposort(&standing, None).is_ok()
    })
}

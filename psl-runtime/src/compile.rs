//! The compiler from PSL to QKVL (65), App. K.

use psl_syntax::{
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Production, Program, RegisterId,
        Select, Statement, Until,
    },
    roles::ANSWER,
};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::qkvl::{self, Attributes, Block, Entries, Repeat, Slots, Source, Term};

/// Compiles a program, production by production. Productions with errors are left out.
pub fn compile(program: &Program) -> qkvl::Program {
    compile_some(program, &mut || true)
}

/// Compiles a program without some of its layers. `wanted` decides on each production without errors, in
/// program order.
pub(crate) fn compile_some(program: &Program, wanted: &mut dyn FnMut() -> bool) -> qkvl::Program {
    let short = |id: RegisterId| program.registers[id].short.clone();
    let weights = blocks(program, &program.statements, wanted);
    let mut register_map: Entries<String> =
        program.registers.iter().map(|register| (register.name.clone(), register.short.clone())).collect();
    list_primed(&weights, &mut register_map, &mut FxHashSet::default());
    qkvl::Program {
        register_map,
        constant_map: program.constants.iter().map(|it| (it.name.clone(), it.value.clone())).collect(),
        watch_list: program.watch.iter().copied().map(short).collect(),
        system_map: program
            .roles
            .iter()
            // The register of rows, if that is all a program gives.
            .chain([(ANSWER, program.answer.filter(|_| program.roles.output.is_none()))])
            .filter_map(|(role, register)| Some((role.to_owned(), short(register?))))
            .collect(),
        weights,
    }
}

fn blocks(program: &Program, statements: &[Statement], wanted: &mut dyn FnMut() -> bool) -> Vec<Block> {
    let mut heads = Heads::default();
    let mut block = |statement: &Statement| match (statement, heads.shares_layer(statement)) {
        (Statement::Production(production), _) if !production.sound || !wanted() => None,
        (Statement::Production(production), shares_layer) => {
            Some(Block::Layer(qkvl::Layer { shares_layer, ..compile_production(program, production) }))
        }
        (Statement::Repeat(repeat), _) => Some(Block::Repeat(Repeat {
            layer_comment: repeat.label.clone(),
            until: match &repeat.until {
                Until::NoChange => qkvl::Until::NoChange {},
                Until::Conditions(conditions) => {
                    let QueryAndKey { q, k, .. } = query_and_key(program, conditions);
                    qkvl::Until::Conditions { q, k }
                }
            },
            weights: blocks(program, &repeat.body, wanted),
        })),
    };
    statements.iter().filter_map(&mut block).collect()
}

/// The heads of layers in a list of statements. Productions with errors are left out.
#[derive(Default)]
pub(crate) struct Heads {
    /// Whether the current layer has a head.
    has_head: bool,
}

impl Heads {
    /// Whether the next statement is a production that shares the layer of the one before it. If the first heads of a
    /// layer are left out, the next one becomes its first.
    pub(crate) fn shares_layer(&mut self, statement: &Statement) -> bool {
        let Statement::Production(production) = statement else {
            self.has_head = false;
            return false;
        };
        let shares = production.shares_layer && self.has_head;
        self.has_head = shares || production.sound;
        shares
    }
}

/// Compiles one production to a layer of its own: each condition to a slot of query and key, each assignment to an
/// entry of the value.
pub fn compile_production(program: &Program, production: &Production) -> qkvl::Layer {
    let QueryAndKey { q, k, .. } = query_and_key(program, &production.conditions);
    let value = |assignment: &Assignment| {
        let target = program.registers[assignment.target].short.clone();
        (target, term(program, assignment.source))
    };
    let mut v = entries(production.assignments.len());
    v.extend(production.assignments.iter().map(value));
    qkvl::Layer {
        layer_comment: production.label.clone(),
        weights: Attributes { q, k, v },
        causal_attn: production.causal_attn,
        right_match: production.select == Select::Rightmost,
        shares_layer: false,
    }
}

/// An empty object with room for this many entries.
fn entries<T>(count: usize) -> Entries<T> {
    Entries::with_capacity_and_hasher(count, FxBuildHasher)
}

struct QueryAndKey<'p> {
    program: &'p Program,
    q: Slots,
    k: Slots,
}

fn query_and_key<'p>(program: &'p Program, conditions: &[Condition]) -> QueryAndKey<'p> {
    let mut slots = QueryAndKey { program, q: entries(conditions.len() + 1), k: entries(conditions.len() + 1) };
    for condition in conditions {
        slots.condition(condition);
    }
    if !conditions.iter().any(Condition::mentions_n) {
        slots.same_cell();
    }
    slots
}

impl QueryAndKey<'_> {
    /// With `n` on the left, the query gets the right side and the key gets the register, under the primed name. With
    /// `N` on the left, the two are swapped, under the plain name.
    fn condition(&mut self, condition: &Condition) {
        let register = &self.program.registers[condition.left.register];
        let right = source(self.program, &condition.comparison);
        let left = Source::Is(Term::Register(register.short.clone(), None));
        match condition.left.cell {
            Cell::Source => self.add([&register.short, "`"].concat(), right, left),
            Cell::Updated => self.add(register.short.clone(), left, right),
        }
    }

    /// A production without `n` compares cell N with itself. The position identifies the cell.
    fn same_cell(&mut self) {
        let Some(position) = self.program.roles.position.map(|id| &self.program.registers[id]) else { return };
        let itself = Source::Is(Term::Register(position.short.clone(), None));
        self.add(position.short.clone(), itself.clone(), itself);
    }

    /// Fills the slot with that name or, if it is taken, the first free primed one, so that every condition counts.
    /// Skips a condition that one of these slots already has.
    fn add(&mut self, mut slot: String, query: Source, key: Source) {
        while let Some(present) = self.q.get(&slot) {
            if *present == query && self.k.get(&slot) == Some(&key) {
                return;
            }
            slot.push('`');
        }
        self.q.insert(slot.clone(), query);
        self.k.insert(slot, key);
    }
}

fn source(program: &Program, comparison: &Comparison) -> Source {
    let list = |constants: &[ConstantId]| constants.iter().map(|id| program.constants[*id].value.clone()).collect();
    match comparison {
        Comparison::Is(operand) => Source::Is(term(program, *operand)),
        Comparison::IsNot(operand) => Source::Not(term(program, *operand)),
        Comparison::In(constants) => Source::In(list(constants)),
        Comparison::NotIn(constants) => Source::NotIn(list(constants)),
    }
}

fn term(program: &Program, operand: Operand) -> Term {
    match operand {
        Operand::Constant(id) => Term::Constant(program.constants[id].value.clone()),
        Operand::Register(CellRegister { register, .. }, function) => {
            Term::Register(program.registers[register].short.clone(), function)
        }
    }
}

/// The number of primed names that [`compile`] lists for a program.
pub fn primed_names(program: &Program) -> usize {
    let mut names = FxHashSet::default();
    collect_primed(program, &program.statements, &mut names);
    names.len()
}

fn collect_primed(program: &Program, statements: &[Statement], names: &mut FxHashSet<String>) {
    let collect = |conditions: &[Condition], names: &mut FxHashSet<String>| {
        let slots = query_and_key(program, conditions).q;
        names.extend(slots.into_keys().filter(|slot| qkvl::is_primed(slot)));
    };
    for statement in statements {
        match statement {
            Statement::Production(production) if production.sound => collect(&production.conditions, names),
            Statement::Production(_) => {}
            Statement::Repeat(repeat) => {
                if let Until::Conditions(conditions) = &repeat.until {
                    collect(conditions, names);
                }
                collect_primed(program, &repeat.body, names);
            }
        }
    }
}

/// Lists the primed names that are not yet `listed`.
fn list_primed<'b>(blocks: &'b [Block], register_map: &mut Entries<String>, listed: &mut FxHashSet<&'b str>) {
    for block in blocks {
        let slots = match block {
            Block::Layer(layer) => Some(&layer.weights.q),
            Block::Repeat(Repeat { until: qkvl::Until::Conditions { q, .. }, .. }) => Some(q),
            Block::Repeat(_) => None,
        };
        for slot in slots.into_iter().flat_map(Entries::keys).filter(|slot| qkvl::is_primed(slot)) {
            if listed.insert(slot) {
                qkvl::list_primed(register_map, slot);
            }
        }
        if let Block::Repeat(repeat) = block {
            list_primed(&repeat.weights, register_map, listed);
        }
    }
}

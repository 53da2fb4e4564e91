//! Value domains: what each register can hold in front of each layer.
//!
//! A domain is a set of constants, plus all positions or all symbols, plus null. It flows through the layers in order,
//! around repeat blocks and around the autoregressive loop, to a fixpoint; what a production copies is narrowed by the
//! production's own conditions.
//!
//! Invariants: a domain holds every value that the register can have there in a run on a plain prompt, or on a structured
//! one that sets no more than `//@ input` declares (a broken promise would be a false report); a register costs nothing at
//! a layer that does not write it.

mod conditions;
mod contradictions;
mod flow;
mod termination;
mod verdicts;
mod words;

use std::{collections::BTreeSet, ops::Range};

use rustc_hash::FxHashMap;

use flow::NodeId;
pub use flow::{domains, held_at};
pub use verdicts::{Proved, Verdict, Verdicts, verdicts};

use crate::{
    diagnostic::Diagnostic,
    names::Names,
    program::{ConstantId, Function, Program, RegisterId},
};

/// What follows from the domains: conditions that never or always hold, productions that never fire, functions of what is
/// not a position, repeat blocks that may not end.
pub fn diagnostics(program: &Program, names: &Names, domains: &Domains, verdicts: &Verdicts) -> Vec<Diagnostic> {
    let without_input = (!program.input.is_empty()).then(|| {
        let program = Program { input: BTreeSet::new(), ..program.clone() };
        self::domains(&program)
    });
    let plain = without_input.as_ref().unwrap_or(domains);
    let mut out = conditions::diagnostics(program, names, domains, plain, verdicts);
    out.extend(termination::diagnostics(program, domains, verdicts));
    out
}

/// Beyond so many constants a domain counts as any symbol: it bounds what a register can cost.
const MAX_CONSTANTS: usize = 128;

/// Index of a value among [`Values`]: constants of one value are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ValueId(u32);

/// The strings that a program names.
#[derive(Clone, Debug, Default)]
struct Values {
    values: Vec<Value>,
    of_constant: Vec<ValueId>,
}

#[derive(Clone, Debug)]
struct Value {
    text: String,
    /// As the program calls it.
    name: String,
    /// The position that it is, if it is one.
    position: Option<u64>,
}

impl Values {
    fn new(program: &Program) -> Self {
        let mut known = Self::default();
        let mut ids: FxHashMap<&str, ValueId> = FxHashMap::default();
        let machine = [(PARSING, PARSING), (EOP, EOP)];
        let declared = program.constants.iter().map(|constant| (constant.name.as_str(), constant.value.as_str()));
        for (name, value) in declared.chain(machine) {
            let id = *ids.entry(value).or_insert_with(|| {
                known.values.push(Value { text: value.to_owned(), name: name.to_owned(), position: position(value) });
                ValueId(known.values.len() as u32 - 1)
            });
            known.of_constant.push(id);
        }
        known
    }

    fn of(&self, constant: ConstantId) -> ValueId {
        self.of_constant.get(constant.0 as usize).copied().unwrap_or(ValueId(u32::MAX))
    }

    /// The value `1` that the machine gives the parse register.
    fn parsing(&self) -> ValueId {
        self.nth_last(2)
    }

    /// The value `EOP` that the machine gives the eop register.
    fn eop(&self) -> ValueId {
        self.nth_last(1)
    }

    fn nth_last(&self, back: usize) -> ValueId {
        let at = self.of_constant.len().checked_sub(back);
        at.and_then(|at| self.of_constant.get(at)).copied().unwrap_or(ValueId(u32::MAX))
    }

    fn name(&self, id: ValueId) -> &str {
        self.values.get(id.0 as usize).map_or("?", |value| &value.name)
    }

    fn position(&self, id: ValueId) -> Option<u64> {
        self.values.get(id.0 as usize)?.position
    }
}

const PARSING: &str = "1";
const EOP: &str = "EOP";

/// The position that a string is: a decimal as runs write it, without leading zeros.
fn position(value: &str) -> Option<u64> {
    let canonical = value == "0" || !value.starts_with('0');
    (canonical && value.bytes().all(|byte| byte.is_ascii_digit())).then(|| value.parse().ok()).flatten()
}

/// Values that are too many to list, each kind holding the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wide {
    /// The positions that cells have: from 1.
    CellPositions,
    /// All positions, 0 too.
    Positions,
    /// All strings.
    Symbols,
}

impl Wide {
    fn holds(self, values: &Values, id: ValueId) -> bool {
        match self {
            Self::CellPositions => values.position(id).is_some_and(|position| position > 0),
            Self::Positions => values.position(id).is_some(),
            Self::Symbols => true,
        }
    }
}

/// A set of values, and null or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// Sorted; none that `wide` holds.
    constants: Vec<ValueId>,
    wide: Option<Wide>,
    null: bool,
}

impl Domain {
    const NOTHING: &'static Self = &Self { constants: Vec::new(), wide: None, null: false };

    fn null() -> Self {
        Self { null: true, ..Self::default() }
    }

    fn constant(id: ValueId) -> Self {
        Self { constants: vec![id], ..Self::default() }
    }

    fn list(values: &Values, list: &[ConstantId]) -> Self {
        let mut constants: Vec<ValueId> = list.iter().map(|id| values.of(*id)).collect();
        constants.sort_unstable();
        constants.dedup();
        Self { constants, ..Self::default() }
    }

    fn wide(wide: Wide) -> Self {
        Self { wide: Some(wide), ..Self::default() }
    }

    /// Whether null is possible.
    pub fn has_null(&self) -> bool {
        self.null
    }

    /// Whether any symbol is possible.
    pub fn is_any(&self) -> bool {
        self.wide == Some(Wide::Symbols)
    }

    /// Whether it holds no value; null is none.
    fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.wide.is_none()
    }

    fn holds(&self, values: &Values, id: ValueId) -> bool {
        self.wide.is_some_and(|wide| wide.holds(values, id)) || self.constants.binary_search(&id).is_ok()
    }

    /// Its value, where there is but one.
    fn single(&self) -> Option<ValueId> {
        match self.constants.as_slice() {
            [id] if self.wide.is_none() => Some(*id),
            _ => None,
        }
    }

    /// Whether a list holds all its values.
    fn within(&self, list: &Self) -> bool {
        self.wide.is_none() && self.constants.iter().all(|id| list.constants.binary_search(id).is_ok())
    }

    /// Adds another one's values and null; tells whether that changed anything.
    fn join(&mut self, values: &Values, other: &Self) -> bool {
        let null = other.null && !self.null;
        self.null |= other.null;
        let wide = other.wide > self.wide;
        let new = other.constants.iter().filter(|id| !self.holds(values, **id)).copied().collect::<Vec<_>>();
        let grown = null || wide || !new.is_empty();
        if wide {
            self.wide = other.wide;
        }
        self.constants.extend(new);
        if self.constants.len() > MAX_CONSTANTS {
            self.wide = Some(Wide::Symbols);
        }
        if grown {
            if let Some(wide) = self.wide {
                self.constants.retain(|id| !wide.holds(values, *id));
            }
            self.constants.sort_unstable();
        }
        grown
    }

    /// The values of both. Null is in neither: what matches is not null.
    fn meet(&self, values: &Values, other: &Self) -> Self {
        let common = |one: &Self, two: &Self| {
            one.constants.iter().filter(|id| two.holds(values, **id)).copied().collect::<Vec<_>>()
        };
        let mut constants = common(self, other);
        constants.extend(common(other, self));
        constants.sort_unstable();
        constants.dedup();
        Self { constants, wide: self.wide.min(other.wide), null: false }
    }

    /// What a function makes of its values.
    fn shifted(&self, values: &Values, function: Option<Function>) -> Self {
        let Some(function) = function else { return self.clone() };
        let some = self.wide.is_some() || self.constants.iter().any(|id| values.position(*id).is_some());
        // Past the last position, and before the first, there is none.
        let wide = some.then_some(match function {
            Function::PosIncrement => Wide::CellPositions,
            Function::PosDecrement => Wide::Positions,
        });
        Self { constants: Vec::new(), wide, null: true }
    }

    /// Whether one of its values can be what a function makes of one of another domain's.
    fn can_be(&self, values: &Values, other: &Self, function: Function) -> bool {
        let mapped = |id: &ValueId| {
            let position = values.position(*id)?;
            match function {
                Function::PosIncrement => position.checked_add(1),
                Function::PosDecrement => position.checked_sub(1),
            }
        };
        let holds = |position: u64| {
            self.wide.is_some_and(|wide| wide > Wide::CellPositions || position > 0)
                || self.constants.iter().any(|id| values.position(*id) == Some(position))
        };
        other.wide.is_some() || other.constants.iter().filter_map(mapped).any(holds)
    }

    /// Whether all its values are positions.
    fn only_positions(&self, values: &Values) -> bool {
        self.wide < Some(Wide::Symbols) && self.constants.iter().all(|id| values.position(*id).is_some())
    }
}

/// What each register can hold in front of each layer.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    values: Values,
    nodes: Vec<Domain>,
    /// Which of `reads` are each layer's.
    layers: Vec<Range<usize>>,
    /// Which of `reads` are those of each block's `until`, the blocks in the order of their ends.
    untils: Vec<Range<usize>>,
    /// Registers and the nodes they can be in; sorted by register within a layer.
    reads: Vec<(RegisterId, NodeId)>,
}

impl Domains {
    /// What a register that layer `layer` (from 0) mentions can hold in front of it, in any cell.
    pub fn before(&self, layer: usize, register: RegisterId) -> Option<&Domain> {
        self.find(self.layers.get(layer)?, register)
    }

    /// Whether a domain has a value; nothing is null.
    pub fn admits(&self, domain: &Domain, value: Option<&str>) -> bool {
        let Some(value) = value else { return domain.null };
        let position = position(value);
        let wide = domain.wide.is_some_and(|wide| match wide {
            Wide::CellPositions => position.is_some_and(|position| position > 0),
            Wide::Positions => position.is_some(),
            Wide::Symbols => true,
        });
        wide || domain
            .constants
            .iter()
            .any(|id| self.values.values.get(id.0 as usize).is_some_and(|known| known.text == value))
    }

    /// The registers that some layer mentions where they can hold a constant, not counting those that can hold any symbol, or
    /// the constant just because it is a position.
    pub fn holders(&self, constant: ConstantId) -> Vec<RegisterId> {
        let value = self.values.of(constant);
        let holds = |node: NodeId| self.nodes.get(node.0 as usize).is_some_and(|it| it.constants.contains(&value));
        let mut found: Vec<_> =
            self.reads.iter().filter(|(_, node)| holds(*node)).map(|(register, _)| *register).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a register that a block's `until` mentions can hold there; blocks count from 0 in the order of their ends.
    fn at_until(&self, block: usize, register: RegisterId) -> Option<&Domain> {
        self.find(self.untils.get(block)?, register)
    }

    fn find(&self, range: &Range<usize>, register: RegisterId) -> Option<&Domain> {
        let reads = self.reads.get(range.clone())?;
        let found = reads.binary_search_by_key(&register, |(read, _)| *read).ok()?;
        let (_, node) = reads.get(found)?;
        self.nodes.get(node.0 as usize)
    }
}

/// A place where registers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In front of a layer, counted from 0.
    Layer(usize),
    /// At the `until` of a block; blocks count from 0 in the order of their ends.
    Until(usize),
}

/// What each register can hold at one place.
#[derive(Clone, Debug)]
pub struct Held {
    values: Values,
    /// By register.
    domains: Vec<Domain>,
}

impl Held {
    /// The constants that a register can hold; nothing where it can hold any symbol, or no constant at all is known.
    pub fn constants(&self, register: RegisterId) -> Option<Vec<ConstantId>> {
        let domain = self.domains.get(register.0 as usize)?;
        if domain.wide == Some(Wide::Symbols) {
            return None;
        }
        // The last two are the machine's own.
        let declared = self.values.of_constant.len().saturating_sub(2);
        let constants = (0..).map(ConstantId).take(declared);
        let held: Vec<_> = constants.filter(|id| domain.holds(&self.values, self.values.of(*id))).collect();
        (!held.is_empty()).then_some(held)
    }

    /// Whether a register can hold any symbol.
    pub fn is_any(&self, register: RegisterId) -> bool {
        self.domains.get(register.0 as usize).is_some_and(Domain::is_any)
    }

    /// What a register can hold, in words, such as "XQ, XA or null".
    pub fn in_words(&self, register: RegisterId) -> Option<String> {
        let domain = self.domains.get(register.0 as usize)?;
        Some(self.values.in_words_or_null(domain))
    }
}

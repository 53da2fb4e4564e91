//! Whether running one production first affects another.
//!
//! A affects B if it writes a register that B reads or writes, with two exceptions:
//!
//! - *In cell N*, B's reads and writes of the register do not count if A and B exclude each other there: the guards of
//!   both on a register of cell N have no value in common. Then B does not fire in a cell where A fires, and A changes
//!   nothing in a cell where B may fire. It must hold after A's write too: A leaves that register alone, or sets it to
//!   a constant that B's guard refuses.
//! - *In cell n*, B's reads of the register do not count if B's guards on cell n exclude A's guards on cell N in the
//!   same way, before and after A's write. Then B attends to no cell in which A fires, with or without A's write.
//!   Guards on cell N do not help: B may attend from a cell where A does not fire to one where it does.
//!
//! A production without n reads cell N only.

use std::collections::BTreeSet;

use super::guard::{Guards, guards};
use crate::program::{Assignment, Cell, Condition, Operand, Production, Program, RegisterId};

/// The reason why running one production first affects another: a register that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependence {
    /// The register that the first production writes.
    pub register: RegisterId,
    /// The use that the other makes of it.
    pub usage: Usage,
}

/// The use of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Usage {
    /// Read from a cell.
    Reads(Cell),
    /// Written.
    Writes,
}

/// The dependences between the productions of a program.
#[derive(Debug)]
pub struct Dependences<'p> {
    uses: Vec<Uses<'p>>,
}

/// The registers that a production uses, and its guards.
#[derive(Debug)]
pub(super) struct Uses<'p> {
    pub(super) writes: Vec<Write<'p>>,
    /// By register.
    pub(super) usages: Vec<(RegisterId, Usage)>,
    guards_on_source: Guards<'p>,
    pub(super) guards_on_updated: Guards<'p>,
}

/// A register that a production writes, and the value if it is a constant.
#[derive(Debug)]
pub(super) struct Write<'p> {
    pub(super) register: RegisterId,
    constant: Option<&'p str>,
}

impl<'p> Dependences<'p> {
    /// Collects the uses of registers.
    pub fn new(program: &'p Program) -> Self {
        Self { uses: program.productions().into_iter().map(|production| Uses::new(program, production)).collect() }
    }

    /// The registers that a production uses.
    pub(super) fn uses(&self, production: usize) -> Option<&Uses<'p>> {
        self.uses.get(production)
    }

    /// The reasons why running one production first affects another, by register. None if it does not. Productions are
    /// given by their indices.
    pub fn between(&self, first: usize, second: usize) -> Vec<Dependence> {
        self.iter(first, second).collect()
    }

    /// Whether running one production first affects another. Productions are given by their indices.
    pub fn affects(&self, first: usize, second: usize) -> bool {
        self.iter(first, second).next().is_some()
    }

    fn iter(&self, first: usize, second: usize) -> impl Iterator<Item = Dependence> {
        let pair = self.uses.get(first).zip(self.uses.get(second));
        pair.into_iter().flat_map(|(first, second)| {
            let usages = first.writes.iter().flat_map(|write| second.usages_of(write.register));
            let counts = |(_, usage): &&(RegisterId, Usage)| !first.excludes(second.guards_for(*usage));
            usages.filter(counts).map(|&(register, usage)| Dependence { register, usage })
        })
    }
}

impl<'p> Uses<'p> {
    fn new(program: &'p Program, production: &Production) -> Self {
        let Production { conditions, assignments, .. } = production;
        let write = |assignment: &Assignment| Write {
            register: assignment.target,
            constant: match assignment.source {
                Operand::Constant(id) => Some(program.constants[id].value.as_str()),
                Operand::Register(..) => None,
            },
        };
        let tested = conditions.iter().flat_map(Condition::registers);
        let copied = assignments.iter().filter_map(|assignment| assignment.source.register());
        let reads = tested.chain(copied).map(|place| (place.register, Usage::Reads(place.cell)));
        let writes = assignments.iter().map(|assignment| (assignment.target, Usage::Writes));
        let usages: BTreeSet<(RegisterId, Usage)> = reads.chain(writes).collect();
        Self {
            writes: assignments.iter().map(write).collect(),
            usages: usages.into_iter().collect(),
            guards_on_source: guards(program, conditions, Cell::Source),
            guards_on_updated: guards(program, conditions, Cell::Updated),
        }
    }

    /// The guards on the cell of a use.
    pub(super) const fn guards_for(&self, usage: Usage) -> &Guards<'p> {
        match usage {
            Usage::Reads(Cell::Source) => &self.guards_on_source,
            Usage::Reads(Cell::Updated) | Usage::Writes => &self.guards_on_updated,
        }
    }

    pub(super) fn writes_to(&self, register: RegisterId) -> bool {
        self.writes.iter().any(|write| write.register == register)
    }

    fn usages_of(&self, register: RegisterId) -> &[(RegisterId, Usage)] {
        let start = self.usages.partition_point(|(other, _)| *other < register);
        let end = self.usages.partition_point(|(other, _)| *other <= register);
        self.usages.get(start..end).unwrap_or_default()
    }

    /// Whether its guards on cell N exclude those of another production, before and after it writes.
    fn excludes(&self, others: &Guards<'p>) -> bool {
        self.guards_on_updated.iter().any(|(register, values)| {
            let Some(others) = others.get(register) else { return false };
            let write = self.writes.iter().find(|write| write.register == *register);
            let after = write.is_none_or(|write| write.constant.is_some_and(|value| !others.contains(value)));
            values.is_disjoint(others) && after
        })
    }
}

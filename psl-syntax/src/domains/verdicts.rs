//! Proofs about conditions: conditions that never or always hold, and conditions that never hold together.
//!
//! Invariant: a verdict holds for every pair of cells in every run that the domains cover. Code that depends on
//! whether a production fires uses verdicts, not reported diagnostics.

use super::{
    contradictions::{Contradiction, contradiction},
    point::{Conjunction, ProgramPoint, conjunctions},
    table::Domains,
};
use crate::{
    index::IndexVec,
    program::{Comparison, Condition, Operand, Production, ProductionId, Program},
};

/// The verdict on a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No proof.
    Open,
    /// Always holds.
    Always,
    /// Never holds: the two sides have no value in common.
    Never,
    /// Never holds: a value that it needs is null in every cell.
    Unset,
}

/// The verdict on conditions that must hold together: those of a production or of an `until`.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// Entry i is the verdict on condition i.
    pub conditions: Vec<Verdict>,
    /// The reason why they cannot hold together, although each may hold alone.
    pub(crate) contradiction: Option<Contradiction>,
}

impl Proved {
    /// Whether the conditions hold for no pair of cells.
    pub fn never_hold(&self) -> bool {
        self.contradiction.is_some() || self.conditions.iter().any(|verdict| verdict.is_never())
    }
}

impl Verdict {
    /// Whether the condition never holds.
    pub fn is_never(self) -> bool {
        matches!(self, Self::Never | Self::Unset)
    }
}

/// The verdicts on all conditions of a program.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Entry i is for the production of layer i + 1.
    pub layers: IndexVec<ProductionId, Proved>,
    /// Entry i is for the `until` of block i + 1, in the order of their ends. It has no conditions for `NO_CHANGE`.
    pub untils: Vec<Proved>,
}

impl Verdicts {
    /// The verdict on the conditions at a point.
    pub(crate) fn at(&self, point: ProgramPoint) -> Option<&Proved> {
        match point {
            ProgramPoint::Layer(layer) => self.layers.find(layer),
            ProgramPoint::Until(block) => self.untils.get(block),
        }
    }

    /// Whether the verdicts contain spans, which only hold for one text.
    pub(crate) fn have_places(&self) -> bool {
        self.layers.iter().chain(&self.untils).any(|proved| proved.contradiction.is_some())
    }

    /// Whether a production never fires in any run.
    pub fn never_fires(&self, layer: ProductionId) -> bool {
        self.layers.find(layer).is_some_and(Proved::never_hold)
    }
}

/// Derives verdicts from the domains.
pub fn verdicts(program: &Program, domains: &Domains) -> Verdicts {
    let prover = Prover { program, domains };
    let mut verdicts = Verdicts::default();
    for Conjunction { point, conditions, production } in conjunctions(program) {
        let found = prover.conditions(point, conditions, production);
        match point {
            ProgramPoint::Layer(_) => _ = verdicts.layers.push(found),
            ProgramPoint::Until(_) => verdicts.untils.push(found),
        }
    }
    verdicts
}

struct Prover<'p> {
    program: &'p Program,
    domains: &'p Domains,
}

impl Prover<'_> {
    fn conditions(&self, at: ProgramPoint, conditions: &[Condition], production: Option<&Production>) -> Proved {
        let verdicts: Vec<Verdict> = conditions.iter().map(|condition| self.condition(at, condition)).collect();
        let contradiction = if verdicts.iter().any(|verdict| verdict.is_never()) {
            None
        } else {
            let domain = |register| self.domains.at(at, register);
            contradiction(self.program, &self.domains.values, conditions, production, domain)
        };
        Proved { conditions: verdicts, contradiction }
    }

    fn condition(&self, at: ProgramPoint, condition: &Condition) -> Verdict {
        let values = &self.domains.values;
        let left = self.domains.at(at, condition.left.register);
        let right = self.domains.right(at, &condition.comparison);
        let positive = matches!(condition.comparison, Comparison::Is(_) | Comparison::In(_));
        if left.is_empty() || (positive && right.domain.is_empty()) {
            return Verdict::Unset;
        }
        if same_place(condition) {
            return match positive {
                true if left.null => Verdict::Open,
                true => Verdict::Always,
                false => Verdict::Never,
            };
        }
        let disjoint = left.is_disjoint(values, &right.domain);
        let certain = match right.register {
            None => left.within(&right.domain),
            Some(_) => left.single().is_some() && left.single() == right.domain.single() && !right.domain.null,
        };
        match (positive, disjoint, certain) {
            (true, true, _) | (false, _, true) => Verdict::Never,
            (true, _, true) | (false, true, _) if !left.null => Verdict::Always,
            _ => Verdict::Open,
        }
    }
}

/// Whether both sides are the same register of the same cell.
pub(crate) fn same_place(condition: &Condition) -> bool {
    matches!(condition.comparison, Comparison::Is(Operand::Register(place, None)) | Comparison::IsNot(Operand::Register(place, None))
        if place == condition.left)
}

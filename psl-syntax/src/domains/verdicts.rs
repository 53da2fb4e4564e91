//! What the domains prove of conditions: that one never holds or never fails, and that some never hold together.
//!
//! Invariant: a verdict is true of every pair of cells in every run that the domains speak of. Whoever needs to know whether
//! a production fires asks here, never what was reported of it.

use super::{
    Domain, Domains,
    contradictions::{Contradiction, contradiction},
};
use crate::program::{Condition, Function, Operand, Production, Program, RegisterId, Statement, Test, Until};

/// What is proved of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Open,
    /// It holds wherever it is asked.
    Always,
    /// It holds nowhere: its two sides have other values.
    Never,
    /// It holds nowhere: a value that it needs is null in every cell.
    Unset,
}

/// What is proved of conditions that must all hold: those of a production, or of an `until`.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// Entry i is about condition i.
    pub conditions: Vec<Verdict>,
    /// Why they cannot all hold, although each of them may.
    pub(super) contradiction: Option<Contradiction>,
}

impl Proved {
    /// Whether they hold for no pair of cells.
    pub fn never_hold(&self) -> bool {
        self.contradiction.is_some() || self.conditions.iter().any(|verdict| verdict.is_never())
    }
}

impl Verdict {
    /// Whether the condition holds nowhere.
    pub fn is_never(self) -> bool {
        matches!(self, Self::Never | Self::Unset)
    }
}

/// What is proved of all conditions of a program.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Entry i is about the production of layer i + 1.
    pub layers: Vec<Proved>,
    /// Entry i is about the `until` of the block that ends as number i + 1; nothing stands there for `NO_CHANGE`.
    pub untils: Vec<Proved>,
}

impl Verdicts {
    /// Whether the production of a layer, counted from 0, fires in no run.
    pub fn never_fires(&self, layer: usize) -> bool {
        self.layers.get(layer).is_some_and(Proved::never_hold)
    }
}

/// Proves what the domains can.
pub fn verdicts(program: &Program, domains: &Domains) -> Verdicts {
    let mut prover = Prover { program, domains, verdicts: Verdicts::default() };
    prover.statements(&program.statements);
    prover.verdicts
}

/// Where conditions stand.
#[derive(Clone, Copy)]
pub(super) enum At {
    Layer(usize),
    Until(usize),
}

/// The right side of a condition: what it can be, and the register that it is read from.
pub(super) struct Right {
    pub(super) domain: Domain,
    pub(super) register: Option<(RegisterId, Option<Function>)>,
}

impl Domains {
    pub(super) fn at(&self, at: At, register: RegisterId) -> &Domain {
        match at {
            At::Layer(layer) => self.before(layer, register),
            At::Until(block) => self.at_until(block, register),
        }
        .unwrap_or(Domain::NOTHING)
    }

    pub(super) fn right(&self, at: At, test: &Test) -> Right {
        match test {
            Test::Is(Operand::Register(place, function)) | Test::IsNot(Operand::Register(place, function)) => Right {
                domain: self.at(at, place.register).shifted(&self.values, *function),
                register: Some((place.register, *function)),
            },
            Test::Is(Operand::Constant(id)) | Test::IsNot(Operand::Constant(id)) => {
                Right { domain: Domain::list(&self.values, &[*id]), register: None }
            }
            Test::In(list) | Test::NotIn(list) => Right { domain: Domain::list(&self.values, list), register: None },
        }
    }
}

struct Prover<'p> {
    program: &'p Program,
    domains: &'p Domains,
    verdicts: Verdicts,
}

impl Prover<'_> {
    /// Recurses with the nesting of repeat blocks, which the parser bounds.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Production(production) => {
                    let at = At::Layer(self.verdicts.layers.len());
                    let proved = self.conditions(at, &production.conditions, Some(production));
                    self.verdicts.layers.push(proved);
                }
                Statement::Repeat(repeat) => {
                    self.statements(&repeat.body);
                    let at = At::Until(self.verdicts.untils.len());
                    let proved = match &repeat.until {
                        Until::NoChange => Proved::default(),
                        Until::Conditions(conditions) => self.conditions(at, conditions, None),
                    };
                    self.verdicts.untils.push(proved);
                }
            }
        }
    }

    fn conditions(&self, at: At, conditions: &[Condition], production: Option<&Production>) -> Proved {
        let verdicts: Vec<Verdict> = conditions.iter().map(|condition| self.condition(at, condition)).collect();
        let contradiction = if verdicts.iter().any(|verdict| verdict.is_never()) {
            None
        } else {
            let domain = |register| self.domains.at(at, register);
            contradiction(self.program, &self.domains.values, conditions, production, domain)
        };
        Proved { conditions: verdicts, contradiction }
    }

    fn condition(&self, at: At, condition: &Condition) -> Verdict {
        let values = &self.domains.values;
        let left = self.domains.at(at, condition.left.register);
        let right = self.domains.right(at, &condition.test);
        let positive = matches!(condition.test, Test::Is(_) | Test::In(_));
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
        let disjoint = left.meet(values, &right.domain).is_empty();
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

/// Whether both sides are one register of one cell.
pub(super) fn same_place(condition: &Condition) -> bool {
    matches!(condition.test, Test::Is(Operand::Register(place, None)) | Test::IsNot(Operand::Register(place, None))
        if place == condition.left)
}

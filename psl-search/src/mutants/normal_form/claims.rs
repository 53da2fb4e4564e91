//! Conditions in normal form.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use psl_syntax::program::{CellRegister, Comparison, Condition, ConstantId, Function, Operand, Program};

/// A value, or the register that has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    Value(String),
    Read(CellRegister),
}

impl Term {
    pub fn register(&self) -> Option<CellRegister> {
        match self {
            Self::Value(_) => None,
            Self::Read(place) => Some(*place),
        }
    }
}

/// The values of a register. Null is not among them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Values {
    Only(BTreeSet<String>),
    AllBut(BTreeSet<String>),
}

impl Values {
    const ANY: Self = Self::AllBut(BTreeSet::new());

    fn meet(&mut self, other: Self) {
        *self = match (mem::replace(self, Self::ANY), other) {
            (Self::Only(one), Self::Only(other)) => Self::Only(&one & &other),
            (Self::Only(only), Self::AllBut(but)) | (Self::AllBut(but), Self::Only(only)) => Self::Only(&only - &but),
            (Self::AllBut(one), Self::AllBut(other)) => Self::AllBut(&one | &other),
        };
    }

    fn has(&self, value: &str) -> bool {
        match self {
            Self::Only(values) => values.contains(value),
            Self::AllBut(values) => !values.contains(value),
        }
    }
}

/// The values that a register can have.
pub trait Possible {
    /// The values, if they are few.
    fn values(&self, place: CellRegister) -> Option<BTreeSet<String>>;
    /// Whether a register can have this value.
    fn admits(&self, place: CellRegister, value: &str) -> bool;
    /// Whether a register always has a value.
    fn is_never_null(&self, place: CellRegister) -> bool;
}

/// Conditions that hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claims {
    /// Registers that have a value, or that of another register: the first one of those that are equal.
    equal: BTreeMap<CellRegister, Term>,
    /// Registers that have one of some values. A register with any value is not null.
    values: BTreeMap<CellRegister, Values>,
    /// Values that are those of a register, mapped by a function.
    mapped: BTreeSet<(Term, CellRegister, Function)>,
    /// Values that are not those of a register, mapped or not. The register may be null.
    different: BTreeSet<(Term, CellRegister, Option<Function>)>,
}

impl Claims {
    /// The normal form of conditions. `None` if they never hold together. `of` replaces registers by equal ones.
    pub fn new(
        program: &Program,
        conditions: &[&Condition],
        of: impl Fn(CellRegister) -> CellRegister,
        possible: &dyn Possible,
    ) -> Option<Self> {
        let value = |constant: ConstantId| program.constants[constant].value.clone();
        let list = |list: &[ConstantId]| list.iter().map(|constant| value(*constant)).collect();
        let mut claims = Self::default();
        for condition in conditions {
            let left = of(condition.left);
            match &condition.comparison {
                Comparison::Is(Operand::Constant(constant)) => claims.equate(left, Term::Value(value(*constant)))?,
                Comparison::Is(Operand::Register(right, None)) if of(*right) == left => {
                    claims.require(left, Values::ANY);
                }
                Comparison::Is(Operand::Register(right, None)) => claims.equate(left, Term::Read(of(*right)))?,
                Comparison::IsNot(Operand::Constant(constant)) => {
                    claims.require(left, Values::AllBut([value(*constant)].into()));
                }
                Comparison::In(constants) => claims.require(left, Values::Only(list(constants))),
                Comparison::NotIn(constants) => claims.require(left, Values::AllBut(list(constants))),
                Comparison::Is(Operand::Register(..)) | Comparison::IsNot(Operand::Register(..)) => {}
            }
        }
        loop {
            claims.simplify(possible)?;
            let before = claims.clone();
            for condition in conditions {
                let Comparison::IsNot(Operand::Register(right, None)) = condition.comparison else { continue };
                match (claims.representative(of(condition.left)), claims.representative(of(right))) {
                    (left, right) if left == right => return None,
                    (Term::Read(left), Term::Value(right)) => claims.require(left, Values::AllBut([right].into())),
                    _ => {}
                }
            }
            claims.simplify(possible)?;
            if claims == before {
                break;
            }
        }
        for condition in conditions {
            let left = claims.representative(of(condition.left));
            match condition.comparison {
                Comparison::Is(Operand::Register(right, Some(function))) => {
                    claims.mapped.insert((left, claims.first(of(right)), function));
                }
                Comparison::IsNot(Operand::Register(right, function)) => {
                    let right = of(right);
                    // Different constants were compared, or one was excluded, above.
                    if function.is_some() || claims.representative(right).register().is_some() {
                        claims.different.insert((left, claims.first(right), function));
                    }
                }
                _ => {}
            }
        }
        Some(claims)
    }

    /// The value or the register that represents a register in a cell where the conditions hold.
    pub fn representative(&self, place: CellRegister) -> Term {
        self.equal.get(&place).cloned().unwrap_or(Term::Read(place))
    }

    /// The first register that has the value of another one, or itself.
    pub fn first(&self, place: CellRegister) -> CellRegister {
        match self.representative(place) {
            Term::Read(first) => first,
            value @ Term::Value(_) => {
                self.equal.iter().find(|(_, other)| **other == value).map_or(place, |(first, _)| *first)
            }
        }
    }

    /// The registers that they read.
    pub fn reads(&self) -> impl Iterator<Item = CellRegister> {
        let equal = self.equal.iter().flat_map(|(place, term)| [Some(*place), term.register()]);
        let values = self.values.keys().map(|place| Some(*place));
        let mapped = self.mapped.iter().flat_map(|(term, place, _)| [term.register(), Some(*place)]);
        let different = self.different.iter().flat_map(|(term, place, _)| [term.register(), Some(*place)]);
        equal.chain(values).chain(mapped).chain(different).flatten()
    }

    /// Whether the conditions fix a register of cell n to a value or to a register of cell N, with or without a
    /// function.
    pub fn fix(&self, place: CellRegister) -> bool {
        let is_place = |term: &Term| *term == Term::Read(place);
        let is_fixed = |term: &Term| term.register().is_none_or(|other| other.cell != place.cell);
        self.equal
            .iter()
            .any(|(one, other)| *one == place && is_fixed(other) || is_place(other) && one.cell != place.cell)
            || self
                .mapped
                .iter()
                .any(|(one, other, _)| is_place(one) && other.cell != place.cell || *other == place && is_fixed(one))
    }

    fn require(&mut self, place: CellRegister, values: Values) {
        self.values.entry(place).or_insert(Values::ANY).meet(values);
    }

    /// Makes two terms equal. `None` if they never are.
    fn equate(&mut self, place: CellRegister, term: Term) -> Option<()> {
        let term = match term {
            Term::Read(other) => self.representative(other),
            value @ Term::Value(_) => value,
        };
        let (from, to) = match (self.representative(place), term) {
            (Term::Value(one), Term::Value(other)) => return (one == other).then_some(()),
            (Term::Read(from), to @ Term::Value(_)) | (to @ Term::Value(_), Term::Read(from)) => (from, to),
            (Term::Read(one), Term::Read(other)) if one == other => return Some(()),
            (Term::Read(one), Term::Read(other)) => (one.max(other), Term::Read(one.min(other))),
        };
        for term in self.equal.values_mut().filter(|term| **term == Term::Read(from)) {
            *term = to.clone();
        }
        self.equal.insert(from, to);
        Some(())
    }

    /// Simplifies the values that registers have. `None` if one has none.
    fn simplify(&mut self, possible: &dyn Possible) -> Option<()> {
        loop {
            for (place, values) in mem::take(&mut self.values) {
                match self.representative(place) {
                    Term::Value(value) if values.has(&value) => {}
                    Term::Value(_) => return None,
                    Term::Read(first) => self.require(first, values),
                }
            }
            let before = self.equal.len();
            for (place, values) in mem::take(&mut self.values) {
                let values = possible_of(values, place, possible);
                let is_equal = || self.equal.values().any(|term| *term == Term::Read(place));
                match values {
                    Values::Only(values) => match (values.first(), values.len()) {
                        (None, _) => return None,
                        (Some(value), 1) => self.equate(place, Term::Value(value.clone()))?,
                        _ => self.require(place, Values::Only(values)),
                    },
                    Values::AllBut(but) if but.is_empty() && (possible.is_never_null(place) || is_equal()) => {}
                    values @ Values::AllBut(_) => self.require(place, values),
                }
            }
            if self.equal.len() == before {
                return Some(());
            }
        }
    }
}

/// Values without those that a register cannot have.
fn possible_of(values: Values, place: CellRegister, possible: &dyn Possible) -> Values {
    let admitted = |values: BTreeSet<String>| values.into_iter().filter(|it| possible.admits(place, it)).collect();
    match (values, possible.values(place)) {
        (Values::Only(values), Some(all)) if values.is_superset(&all) => Values::ANY,
        (Values::Only(values), _) => Values::Only(admitted(values)),
        (Values::AllBut(but), Some(all)) if but.is_disjoint(&all) => Values::ANY,
        (Values::AllBut(but), Some(all)) => Values::Only(&all - &but),
        (Values::AllBut(but), None) => Values::AllBut(admitted(but)),
    }
}

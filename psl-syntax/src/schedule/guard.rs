//! Guards: the values that a production requires of a register, by its conditions that compare it with constants.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::program::{Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Program, RegisterId};

/// A set of values. Null is in none, because no comparison holds for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values<'p> {
    /// The values of a list.
    Only(BTreeSet<&'p str>),
    /// All values except those of a list.
    AllBut(BTreeSet<&'p str>),
}

impl<'p> Values<'p> {
    /// The values that satisfy a comparison with constants.
    fn of(program: &'p Program, comparison: &Comparison) -> Option<Self> {
        let value = |id: &ConstantId| program.constants[*id].value.as_str();
        Some(match comparison {
            Comparison::Is(Operand::Constant(id)) => Self::Only([value(id)].into()),
            Comparison::IsNot(Operand::Constant(id)) => Self::AllBut([value(id)].into()),
            Comparison::In(list) => Self::Only(list.iter().map(value).collect()),
            Comparison::NotIn(list) => Self::AllBut(list.iter().map(value).collect()),
            Comparison::Is(Operand::Register(..)) | Comparison::IsNot(Operand::Register(..)) => return None,
        })
    }

    pub(super) fn contains(&self, value: &str) -> bool {
        match self {
            Self::Only(values) => values.contains(value),
            Self::AllBut(values) => !values.contains(value),
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Only(mut values), other) | (other, Self::Only(mut values)) => {
                values.retain(|value| other.contains(value));
                Self::Only(values)
            }
            (Self::AllBut(mut values), Self::AllBut(others)) => {
                values.extend(others);
                Self::AllBut(values)
            }
        }
    }

    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Only(values), other) | (other, Self::Only(values)) => {
                !values.iter().any(|value| other.contains(value))
            }
            // A vocabulary always has further values.
            (Self::AllBut(_), Self::AllBut(_)) => false,
        }
    }
}

/// The guards of a production on cell n or N, by register.
pub(super) type Guards<'p> = FxHashMap<RegisterId, Values<'p>>;

/// The guards of conditions on a cell.
pub(super) fn guards<'p>(program: &'p Program, conditions: &[Condition], cell: Cell) -> Guards<'p> {
    let mut guards = Guards::default();
    for condition in conditions {
        let CellRegister { register, cell: of } = condition.left;
        let Some(values) = Values::of(program, &condition.comparison).filter(|_| of == cell) else { continue };
        let values = match guards.remove(&register) {
            Some(before) => values.and(before),
            None => values,
        };
        guards.insert(register, values);
    }
    guards
}

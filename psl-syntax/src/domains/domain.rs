//! Sets of values that a register can hold.

use super::values::{ValueId, Values};
use crate::program::{ConstantId, Function};

/// Maximum number of constants in a domain. A larger domain becomes any symbol, which limits the cost of a register.
pub(crate) const MAX_CONSTANTS: usize = 128;

/// Sets of values that are too large to list. Each one contains the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wide {
    /// The positions of cells, which start at 1.
    CellPositions,
    /// All positions, including 0.
    Positions,
    /// All strings.
    Symbols,
}

impl Wide {
    pub(crate) fn holds(self, values: &Values, id: ValueId) -> bool {
        match self {
            Self::CellPositions => values.position(id).is_some_and(|position| position > 0),
            Self::Positions => values.position(id).is_some(),
            Self::Symbols => true,
        }
    }
}

/// A set of values, with or without null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// Sorted. Does not repeat values that `wide` contains.
    pub(crate) constants: Vec<ValueId>,
    pub(crate) wide: Option<Wide>,
    pub(crate) null: bool,
}

impl Domain {
    pub(super) const NOTHING: &'static Self = &Self { constants: Vec::new(), wide: None, null: false };

    pub(crate) fn null() -> Self {
        Self { null: true, ..Self::default() }
    }

    pub(crate) fn constant(id: ValueId) -> Self {
        Self { constants: vec![id], ..Self::default() }
    }

    pub(crate) fn list(values: &Values, list: &[ConstantId]) -> Self {
        let mut constants: Vec<ValueId> = list.iter().map(|id| values.of(*id)).collect();
        constants.sort_unstable();
        constants.dedup();
        Self { constants, ..Self::default() }
    }

    pub(crate) fn wide(wide: Wide) -> Self {
        Self { wide: Some(wide), ..Self::default() }
    }

    /// Whether null is possible.
    pub fn has_null(&self) -> bool {
        self.null
    }

    /// Whether only constants are possible, and the values that the machine writes.
    pub fn is_finite(&self) -> bool {
        self.wide.is_none()
    }

    /// Whether every symbol is possible.
    pub fn is_any(&self) -> bool {
        self.wide == Some(Wide::Symbols)
    }

    /// Whether the domain has no values. Null is not a value.
    pub(crate) fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.wide.is_none()
    }

    pub(crate) fn holds(&self, values: &Values, id: ValueId) -> bool {
        self.wide.is_some_and(|wide| wide.holds(values, id)) || self.constants.binary_search(&id).is_ok()
    }

    /// The value, if there is exactly one.
    pub(crate) fn single(&self) -> Option<ValueId> {
        match self.constants.as_slice() {
            [id] if self.wide.is_none() => Some(*id),
            _ => None,
        }
    }

    /// Whether a list contains all values.
    pub(crate) fn within(&self, list: &Self) -> bool {
        self.wide.is_none() && self.constants.iter().all(|id| list.constants.binary_search(id).is_ok())
    }

    /// Adds the values and null of another domain. Returns whether anything changed.
    pub(crate) fn join(&mut self, values: &Values, other: &Self) -> bool {
        let null = other.null && !self.null;
        self.null |= other.null;
        let wide = other.wide > self.wide;
        let new = self.missing(values, other).next().is_some();
        let grown = null || wide || new;
        if new {
            let mut all = Vec::with_capacity(self.constants.len() + other.constants.len());
            all.extend_from_slice(&self.constants);
            all.extend(self.missing(values, other));
            self.constants = all;
        }
        if wide {
            self.wide = other.wide;
        }
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

    /// The constants of another domain that this one does not contain, in one pass over both.
    fn missing(&self, values: &Values, other: &Self) -> impl Iterator<Item = ValueId> {
        let mut own = self.constants.iter().peekable();
        other.constants.iter().copied().filter(move |id| {
            while own.next_if(|own| *own < id).is_some() {}
            own.peek() != Some(&id) && !self.wide.is_some_and(|wide| wide.holds(values, *id))
        })
    }

    /// The intersection. It never contains null, because null never matches.
    pub(crate) fn meet(&self, values: &Values, other: &Self) -> Self {
        let common = |one: &Self, two: &Self| {
            one.constants.iter().filter(|id| two.holds(values, **id)).copied().collect::<Vec<_>>()
        };
        let mut constants = common(self, other);
        constants.extend(common(other, self));
        constants.sort_unstable();
        constants.dedup();
        Self { constants, wide: self.wide.min(other.wide), null: false }
    }

    /// Whether the two have no value in common.
    pub(crate) fn is_disjoint(&self, values: &Values, other: &Self) -> bool {
        let none = |one: &Self, two: &Self| !one.constants.iter().any(|id| two.holds(values, *id));
        self.wide.min(other.wide).is_none() && none(self, other) && none(other, self)
    }

    /// The results of a function for all values.
    pub(crate) fn shifted(&self, values: &Values, function: Option<Function>) -> Self {
        let Some(function) = function else { return self.clone() };
        let some = self.wide.is_some() || self.constants.iter().any(|id| values.position(*id).is_some());
        // There is no position before the first or after the last.
        let wide = some.then_some(match function {
            Function::PosIncrement => Wide::CellPositions,
            Function::PosDecrement => Wide::Positions,
        });
        Self { constants: Vec::new(), wide, null: true }
    }

    /// Whether one of its values can be the result of a function for a value of another domain.
    pub(crate) fn can_be(&self, values: &Values, other: &Self, function: Function) -> bool {
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

    /// Whether all values are positions.
    pub(crate) fn only_positions(&self, values: &Values) -> bool {
        self.wide < Some(Wide::Symbols) && self.constants.iter().all(|id| values.position(*id).is_some())
    }
}

//! Search among the cells of a prompt by the readings that conditions compare.

use super::{
    conditions::{Conditions, Pair},
    index::Indexes,
    reading::Shifts,
    value::{NULL, Value},
};

/// A search for the first or the last cell whose readings fit. The first readings are those that must be equal, or one
/// that all cells share, and those that must differ follow.
#[derive(Clone, Copy)]
pub(super) struct Search<'c> {
    pub(super) conditions: &'c Conditions,
    pub(super) shifts: &'c Shifts,
    /// Whether the last cell is found instead of the first.
    pub(super) last: bool,
    /// Whether cells are added in descending order.
    pub(super) backwards: bool,
}

/// The reading that all cells share.
pub(super) const SHARED: Value = 0;

impl Search<'_> {
    pub(super) fn readings(&self) -> usize {
        self.equal() + self.conditions.differ.len()
    }

    fn equal(&self) -> usize {
        self.conditions.equal.len().max(1)
    }

    /// Adds a cell that passes its tests.
    pub(super) fn add(&self, indexes: &mut Indexes, cell: usize, state: &[Value]) {
        let Conditions { equal, differ, .. } = self.conditions;
        let newer_first = self.last != self.backwards;
        if equal.iter().any(|pair| self.shifts.read(pair.key, state) == NULL) {
            return;
        }
        if equal.is_empty() {
            indexes.insert(0, SHARED, cell, newer_first);
        }
        for (number, pair) in equal.iter().enumerate() {
            indexes.insert(number, self.shifts.read(pair.key, state), cell, newer_first);
        }
        for (number, pair) in (self.equal()..).zip(differ) {
            let value = self.shifts.read(pair.key, state);
            if value != NULL {
                indexes.insert(number, value, cell, newer_first);
            }
        }
    }

    /// The cell that another one attends to, and the work of finding it, in comparisons.
    pub(super) fn find(&self, indexes: &mut Indexes, state: &[Value]) -> (Option<usize>, usize) {
        let Conditions { equal, differ, .. } = self.conditions;
        let read = |pair: &Pair| self.shifts.read(pair.query, state);
        if equal.iter().map(read).any(|value| value == NULL) {
            return (None, 0);
        }
        let shared = equal.is_empty().then_some(SHARED);
        let values = shared.into_iter().chain(equal.iter().map(read)).map(Some);
        let values = values.chain(differ.iter().map(read).map(|value| (value != NULL).then_some(value)));
        let (found, words) = indexes.find(values, self.equal(), self.last);
        (found, words * self.readings())
    }
}

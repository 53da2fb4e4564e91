//! An index of one forward step's cells by key, for one layer.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{candidate_pruning, value::Value};

/// Assigns numbers to lists of values.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    /// The number of each list, by the number of the list without its last value and by that value.
    numbers: FxHashMap<(u32, Value), u32>,
}

impl Buckets {
    /// The list's number, or `None` if it has none.
    pub(super) fn find(&self, key: &[Value]) -> Option<usize> {
        let mut number = 0;
        for &value in key {
            number = *self.numbers.get(&(number, value))?;
        }
        Some(number as usize)
    }

    /// The list's number, assigned if it has none. Numbers start at 0, for the empty list, and never exceed the total number
    /// of values in all lists.
    pub(super) fn number(&mut self, key: &[Value]) -> usize {
        let mut number = 0;
        for &value in key {
            let next = self.numbers.len() as u32 + 1;
            number = *self.numbers.entry((number, value)).or_insert(next);
        }
        number as usize
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
    }
}

/// The cells of a forward step, by key.
#[derive(Debug, Default)]
pub(super) struct Index {
    buckets: Buckets,
    /// By bucket: the cells that qualify, in the order of insertion.
    cells: Vec<SmallVec<[u32; 2]>>,
}

impl Index {
    pub(super) fn clear(&mut self) {
        self.buckets.clear();
        self.cells.iter_mut().for_each(SmallVec::clear);
    }

    /// Adds a cell to those with the same key. `newer_first` is whether it is selected before them. `differ` returns a
    /// cell's readings that must differ.
    pub(super) fn insert<'r>(
        &mut self,
        cell: u32,
        key: &[Value],
        newer_first: bool,
        differ: impl Fn(u32) -> &'r [Value],
    ) {
        let bucket = self.buckets.number(key);
        if self.cells.len() <= bucket {
            self.cells.resize_with(bucket + 1, SmallVec::new);
        }
        let Some(cells) = self.cells.get_mut(bucket) else { return };
        cells.push(cell);
        candidate_pruning::retain(cells, newer_first, |&cell| differ(cell));
    }

    /// The cells with that key that qualify, in the order of selection.
    pub(super) fn find(&self, key: &[Value], newer_first: bool) -> impl Iterator<Item = u32> {
        let cells = self.buckets.find(key).and_then(|bucket| self.cells.get(bucket));
        let cells = cells.map(SmallVec::as_slice).unwrap_or_default();
        (0..cells.len()).filter_map(move |index| {
            let place = if newer_first { cells.len() - 1 - index } else { index };
            cells.get(place).copied()
        })
    }
}

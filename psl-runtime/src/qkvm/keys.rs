//! The keys and values of the cells so far, and the search for a match.

use std::ops::Range;

use psl_syntax::index::at;

use super::{
    attributes::{Held, Reading, Shifts},
    matching::{Compared, Matching, Query, Sign, code},
};
use crate::{meter::Meter, run_error::RunError};

/// Keys and values of the cells that some query can match, from the left.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// The cells' indices, 0-based.
    cells: Vec<u32>,
    /// By compared slot: 0 for null, otherwise the value's index plus one.
    slots: Vec<Vec<u32>>,
    /// By assignment.
    values: Vec<Vec<Held>>,
}

impl Keys {
    /// Adds a cell if some query can match it. Returns the number of values kept.
    pub(super) fn add(
        &mut self,
        matching: &Matching,
        value: &[(usize, Reading)],
        shifts: &Shifts<'_>,
        number: usize,
        cell: &[Held],
    ) -> usize {
        let is_some = |slot: &Compared| slot.sign == Sign::NotKey || shifts.read(slot.key, cell).is_some();
        let matches = matching.keys.iter().all(|(query, key)| shifts.fill(key, cell).matches(query.fixed()));
        if matching.never || !matches || !matching.compared.iter().all(is_some) {
            return 0;
        }
        self.slots.resize_with(matching.compared.len(), Vec::new);
        self.values.resize_with(value.len(), Vec::new);
        self.cells.push(number as u32);
        for (keys, slot) in self.slots.iter_mut().zip(&matching.compared) {
            keys.push(code(shifts.read(slot.key, cell)));
        }
        for (values, (_, reading)) in self.values.iter_mut().zip(value) {
            values.push(shifts.read(*reading, cell));
        }
        1 + self.slots.len() + self.values.len()
    }

    /// The number of values kept.
    pub(super) fn len(&self) -> usize {
        self.cells.len() * (1 + self.slots.len() + self.values.len())
    }

    /// The keys and values of the first `cells` cells.
    pub(super) fn of_first(&self, cells: usize) -> Self {
        let count = self.before(cells);
        Self {
            cells: self.cells.iter().take(count).copied().collect(),
            slots: self.slots.iter().map(|slot| slot.iter().take(count).copied().collect()).collect(),
            values: self.values.iter().map(|values| values.iter().take(count).copied().collect()).collect(),
        }
    }

    fn before(&self, cell: usize) -> usize {
        self.cells.partition_point(|&other| (other as usize) < cell)
    }

    /// The cell at an index of this list.
    pub(super) fn cell(&self, index: usize) -> Option<usize> {
        self.cells.get(index).map(|&cell| cell as usize)
    }

    /// The values of the cell at an index of this list.
    pub(super) fn values(&self, index: usize) -> impl Iterator<Item = Held> {
        self.values.iter().map(move |values| values.get(index).copied().flatten())
    }

    /// The index of the first visible cell with a matching key, or of the last.
    pub(super) fn matching(
        &self,
        query: &Query,
        visible: &Range<usize>,
        last: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, RunError> {
        const RUN: usize = 32;
        let mut left = self.before(visible.start)..self.before(visible.end);
        while !left.is_empty() {
            let middle =
                if last { left.end.saturating_sub(RUN).max(left.start) } else { left.end.min(left.start + RUN) };
            let (run, rest) =
                if last { (middle..left.end, left.start..middle) } else { (left.start..middle, middle..left.end) };
            meter.compared(run.len())?;
            // For each key, whether some slot does not match. The compiler vectorizes the comparisons.
            let mut misses = [0_u32; RUN];
            for (&(value, sign), keys) in query.iter().zip(&self.slots) {
                let differ = u32::from(sign != Sign::Same);
                for (misses, &key) in misses.iter_mut().zip(at(keys, run.clone())) {
                    *misses |= u32::from(key != value) ^ differ;
                }
            }
            let misses = at(&misses, ..run.len());
            if misses.iter().fold(u32::MAX, |fewest, misses| fewest.min(*misses)) == 0 {
                let fits = |misses: &u32| *misses == 0;
                let place = if last { misses.iter().rposition(fits) } else { misses.iter().position(fits) };
                return Ok(place.map(|place| run.start + place));
            }
            left = rest;
        }
        Ok(None)
    }
}

//! Which of several cells with the same key can ever be the one attended to.
//!
//! Where nothing must differ it is the first in the order of selection. Where m readings must differ, a later one counts as
//! long as some query has one reading in common with each cell before it and none with the cell itself. No more than 2^m
//! cells count (Bollobás' theorem on set pairs), so that a query looks at a bounded number of them.

use smallvec::{Array, SmallVec};

use super::{NULL, Value};

/// With more readings than these all cells are kept: there are more ways to meet the others than cells.
const MOST: usize = 4;

/// Whether a cell with these readings can be attended to although those before it come first.
fn counts<'r>(readings: &[Value], before: impl Iterator<Item = &'r [Value]> + Clone) -> bool {
    if readings.len() > MOST {
        return true;
    }
    meets_all(&mut [NULL; MOST], readings, before)
}

/// Keeps those that count, of cells in the order of selection, or in the opposite one.
pub(super) fn retain<'r, A: Array>(
    cells: &mut SmallVec<A>,
    newer_first: bool,
    differ: impl Fn(&A::Item) -> &'r [Value],
) {
    if cells.first().is_some_and(|cell| differ(cell).len() > MOST) {
        return;
    }
    if newer_first {
        for place in (0..cells.len().saturating_sub(1)).rev() {
            let Some((cell, before)) = cells.get(place..).and_then(<[A::Item]>::split_first) else { return };
            if !counts(differ(cell), before.iter().map(&differ)) {
                cells.remove(place);
            }
        }
    } else {
        let mut place = 1;
        while let Some((cell, before)) = cells.get(..=place).and_then(<[A::Item]>::split_last) {
            if counts(differ(cell), before.iter().map(&differ)) {
                place += 1;
            } else {
                cells.remove(place);
            }
        }
    }
}

/// Whether the query can be completed so that it meets all that are left, and not `avoided`.
fn meets_all<'r>(
    query: &mut [Value; MOST],
    avoided: &[Value],
    mut left: impl Iterator<Item = &'r [Value]> + Clone,
) -> bool {
    let meets = |query: &[Value], cell: &[Value]| query.iter().zip(cell).any(|(a, b)| a == b && *a != NULL);
    let Some(cell) = left.by_ref().find(|cell| !meets(query, cell)) else { return true };
    for (index, (&value, &other)) in cell.iter().zip(avoided).enumerate() {
        let Some(slot) = query.get_mut(index).filter(|slot| **slot == NULL) else { continue };
        if value == NULL || value == other {
            continue;
        }
        *slot = value;
        if meets_all(query, avoided, left.clone()) {
            return true;
        }
        if let Some(slot) = query.get_mut(index) {
            *slot = NULL;
        }
    }
    false
}

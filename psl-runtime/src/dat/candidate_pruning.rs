//! Which of several cells with the same key can ever be the one attended to.
//!
//! Where nothing must differ it is the first in the order of selection. Where m readings must differ, a later one counts as
//! long as some query has one reading in common with each cell before it and none with the cell itself. No more than 2^m
//! cells count (Bollobás' theorem on set pairs), so that a query looks at a bounded number of them.

use smallvec::{Array, SmallVec};

use super::value::{NULL, Value};

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

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::{MOST, NULL, SmallVec, Value, retain};

    const VALUES: [Value; 4] = [0, 1, 2, NULL];

    fn row(size: usize, rng: &mut ChaCha8Rng) -> Vec<Value> {
        (0..size).map(|_| VALUES[rng.random_range(0..VALUES.len())]).collect()
    }

    /// Whether all readings differ from the query's; null differs from everything.
    fn differs(query: &[Value], row: &[Value]) -> bool {
        query.iter().zip(row).all(|(query, value)| query != value || *query == NULL)
    }

    #[test]
    fn those_kept_answer_as_all_would() {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for case in 0..2_000 {
            let (size, newer_first) = (case % (MOST + 2), case % 3 == 0);
            let all: Vec<Vec<Value>> = (0..20).map(|_| row(size, &mut rng)).collect();
            let mut kept: SmallVec<[usize; 1]> = (0..all.len()).collect();
            retain(&mut kept, newer_first, |&cell| &all[cell]);
            assert!(size > MOST || kept.len() <= 1 << size, "{} of {size} readings are kept", kept.len());
            for _ in 0..50 {
                let query = row(size, &mut rng);
                let answer = |mut cells: Vec<usize>| {
                    if newer_first {
                        cells.reverse();
                    }
                    cells.into_iter().find(|&cell| differs(&query, &all[cell]))
                };
                assert_eq!(answer(kept.to_vec()), answer((0..all.len()).collect()), "{query:?} in {all:?}");
            }
        }
    }
}

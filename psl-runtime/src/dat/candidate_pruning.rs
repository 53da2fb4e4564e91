//! Finds the cells with the same key that a query can attend to.
//!
//! Without readings that must differ, only the first cell in the order of selection qualifies. With m such readings, a later
//! cell qualifies if some query has a reading in common with each cell before it, but none with the cell itself. At most 2^m
//! cells qualify (Bollobás' theorem on set pairs), so a query compares a bounded number of them.

use smallvec::{Array, SmallVec};

use super::value::{NULL, Value};

/// With more readings, all cells are kept, because the search would take more steps than there are cells.
const MAX_READINGS: usize = 4;

/// Whether some query can select a cell with these readings, although the cells `before` have precedence.
fn qualifies<'r>(readings: &[Value], before: impl Iterator<Item = &'r [Value]> + Clone) -> bool {
    if readings.len() > MAX_READINGS {
        return true;
    }
    meets_all(&mut [NULL; MAX_READINGS], readings, before)
}

/// Keeps the cells that qualify. `cells` are in the order of selection, or in reverse if `newer_first`.
pub(super) fn retain<'r, A: Array>(
    cells: &mut SmallVec<A>,
    newer_first: bool,
    differ: impl Fn(&A::Item) -> &'r [Value],
) {
    if cells.first().is_some_and(|cell| differ(cell).len() > MAX_READINGS) {
        return;
    }
    if newer_first {
        for place in (0..cells.len().saturating_sub(1)).rev() {
            let Some((cell, before)) = cells.get(place..).and_then(<[A::Item]>::split_first) else { return };
            if !qualifies(differ(cell), before.iter().map(&differ)) {
                cells.remove(place);
            }
        }
    } else {
        let mut place = 1;
        while let Some((cell, before)) = cells.get(..=place).and_then(<[A::Item]>::split_last) {
            if qualifies(differ(cell), before.iter().map(&differ)) {
                place += 1;
            } else {
                cells.remove(place);
            }
        }
    }
}

/// Whether `query` can be completed so that it has a reading in common with all of `left`, but none with `avoided`.
fn meets_all<'r>(
    query: &mut [Value; MAX_READINGS],
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
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::{MAX_READINGS, NULL, SmallVec, Value, retain};

    const VALUES: [Value; 4] = [0, 1, 2, NULL];

    fn row(size: usize, rng: &mut ChaCha8Rng) -> Vec<Value> {
        (0..size).map(|_| VALUES[rng.random_range(0..VALUES.len())]).collect()
    }

    /// Whether all readings differ from the query's. Null differs from everything.
    fn differs(query: &[Value], row: &[Value]) -> bool {
        query.iter().zip(row).all(|(query, value)| query != value || *query == NULL)
    }

    #[test]
    fn kept_cells_give_the_same_match_as_all_cells() {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for case in 0..2_000 {
            let (size, newer_first) = (case % (MAX_READINGS + 2), case % 3 == 0);
            let all: Vec<Vec<Value>> = (0..20).map(|_| row(size, &mut rng)).collect();
            let mut kept: SmallVec<[usize; 1]> = (0..all.len()).collect();
            retain(&mut kept, newer_first, |&cell| &all[cell]);
            assert!(size > MAX_READINGS || kept.len() <= 1 << size, "{} of {size} readings are kept", kept.len());
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

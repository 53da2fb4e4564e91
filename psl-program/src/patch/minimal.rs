//! Sets of places that carry the difference between two runs.

use std::sync::{Arc, atomic::AtomicBool};

use super::patching::Patching;

impl Patching<'_> {
    /// A part of these places, by their indices, that restores the donor's score and without any one of its places does
    /// not: minimal under single removals, though other parts may restore it, too (Zeller and Hildebrandt, *Simplifying
    /// and Isolating Failure-Inducing Input*, 2002). `None` if all places together do not restore it, or if the search
    /// is cancelled.
    pub fn minimal(&self, places: &[usize], cancelled: &Arc<AtomicBool>) -> Option<Vec<usize>> {
        let restores = |places: &[usize]| {
            let places = places.iter().filter_map(|index| self.differing().get(*index));
            self.patched(places, cancelled).is_ok_and(|patched| patched.restores)
        };
        restores(places).then(|| reduced(places.to_vec(), restores))
    }
}

/// A part of a list that passes a test and fails it without any one of its items.
fn reduced<T: Copy>(mut items: Vec<T>, passes: impl Fn(&[T]) -> bool) -> Vec<T> {
    let mut parts = 2;
    while items.len() > 1 {
        let size = items.len().div_ceil(parts);
        let without = |start: usize| -> Vec<T> {
            let kept = items.iter().enumerate().filter(|(index, _)| !(start..start + size).contains(index));
            kept.map(|(_, item)| *item).collect()
        };
        match (0..items.len()).step_by(size).map(without).find(|rest| passes(rest)) {
            Some(rest) => {
                items = rest;
                parts = (parts - 1).max(2);
            }
            // Each single removal was tried.
            None if size == 1 => break,
            None => parts = (2 * parts).min(items.len()),
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::reduced;

    #[track_caller]
    fn check(items: usize, needed: &[usize]) {
        let passes = |kept: &[usize]| needed.iter().all(|item| kept.contains(item));
        let found = reduced((0..items).collect(), passes);
        assert!(passes(&found));
        assert_eq!(found, if needed.is_empty() { vec![items - 1] } else { needed.to_vec() });
    }

    #[test]
    fn a_reduced_list_has_what_is_needed() {
        check(1, &[0]);
        check(9, &[4]);
        check(16, &[0, 7, 15]);
        check(33, &[1, 2, 3, 30, 32]);
        check(5, &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn no_item_of_a_reduced_list_can_be_removed() {
        let passes = |kept: &[usize]| kept.len() >= 3 && kept.iter().sum::<usize>() >= 20;
        let found = reduced((0..12).collect(), passes);
        assert!(passes(&found));
        for index in 0..found.len() {
            let mut rest = found.clone();
            rest.remove(index);
            assert!(!passes(&rest), "{found:?}");
        }
    }
}

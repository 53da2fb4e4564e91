//! Rows right after each other with equal effects.

use std::collections::{BTreeSet, HashMap};

use super::{
    axes::Axes,
    effects::{Effect, Effects},
};

/// The patches that change the score, the largest effects first. Those that differ only in their row, and follow
/// each other in the run, are together.
pub fn stretches<'e, 'r>(effects: &'e Effects<'r>) -> Vec<Vec<&'e Effect<'r>>> {
    let axes = Axes::of(effects);
    let mut stretches: Vec<Vec<&Effect<'r>>> = Vec::new();
    // By what is equal: the row of the last patch, and the index of the stretch.
    let mut last: HashMap<_, (Option<usize>, usize)> = HashMap::new();
    for effect in effects.all.iter().filter(|effect| effect.changes_score()) {
        let [row, ..] = axes.indices(&effect.key);
        let values: BTreeSet<_> = effect.places.iter().map(|it| (it.cell, it.register, &it.base, &it.donor)).collect();
        // Those of one register of one cell are as many as passes.
        let places = if effects.by.cell && effects.by.register { 0 } else { effect.places.len() };
        let equal = (effect.key.cell, effect.key.register, places, values, effect.score());
        let before = row.and_then(|row| row.checked_sub(1));
        let index = match last.get(&equal) {
            Some((last, index)) if before.is_some() && *last == before => *index,
            _ => {
                stretches.push(Vec::new());
                stretches.len() - 1
            }
        };
        stretches.get_mut(index).into_iter().for_each(|stretch| stretch.push(effect));
        last.insert(equal, (row, index));
    }
    let size = |stretch: &Vec<&Effect<'_>>| match stretch.first().map(|effect| &effect.result) {
        Some(Ok(patched)) => (patched.restores, Some(patched.changes)),
        _ => (false, None),
    };
    stretches.sort_by_key(|stretch| std::cmp::Reverse(size(stretch)));
    stretches
}

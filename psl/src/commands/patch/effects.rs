//! The effects of patches.

use std::sync::Arc;

use psl_program::{PatchBy, PatchKey, PatchPlace, Patched, Patching};
use rayon::{ThreadPool, prelude::*};

use super::runs::Runs;
use crate::output::progress::{Progress, Unit};

/// All patches with their effects, in the order of their places.
pub struct Effects<'r> {
    pub runs: &'r Runs<'r>,
    pub patching: &'r Patching<'r>,
    pub by: PatchBy,
    pub all: Vec<Effect<'r>>,
}

/// A patch with its effect.
pub struct Effect<'r> {
    pub key: PatchKey,
    /// The places that it sets.
    pub places: Vec<&'r PatchPlace>,
    /// The patched run, or the reason why it fails.
    pub result: Result<Patched, String>,
}

impl<'r> Effects<'r> {
    /// Runs all patches.
    pub fn measure(runs: &'r Runs<'r>, patching: &'r Patching<'r>, by: PatchBy, pool: &ThreadPool) -> Self {
        let groups: Vec<(PatchKey, Vec<usize>)> = by.groups(patching.differing()).into_iter().collect();
        let (progress, cancelled) = (Progress::new(Unit::Items("patches"), Some(groups.len() as u64)), Arc::default());
        let effect = |(key, indices): (PatchKey, Vec<usize>)| {
            let places: Vec<&PatchPlace> =
                indices.iter().filter_map(|index| patching.differing().get(*index)).collect();
            let result = patching.patched(places.iter().copied(), &cancelled).map_err(|failure| failure.message);
            progress.item(1);
            Effect { key, places, result }
        };
        let all = pool.install(|| groups.into_par_iter().map(effect).collect());
        Self { runs, patching, by, all }
    }
}

impl Effect<'_> {
    /// Whether the score is not that of the base run, or the run fails.
    pub fn changes_score(&self) -> bool {
        self.result.as_ref().map_or(true, |patched| patched.changes > 0)
    }

    /// Whether the score is that of the donor, and not that of the base run.
    pub fn restores(&self) -> bool {
        self.result.as_ref().is_ok_and(|patched| patched.restores)
    }

    /// The score in words, or the reason why the run fails.
    pub fn score(&self) -> String {
        self.result.as_ref().map_or_else(Clone::clone, |patched| patched.score.join(" "))
    }

    /// A value that all places have in common.
    pub fn common<'p>(&'p self, value: impl Fn(&'p PatchPlace) -> Option<&'p str>) -> Option<&'p str> {
        let mut values = self.places.iter().map(|place| value(place).unwrap_or("∅"));
        let first = values.next()?;
        values.all(|value| value == first).then_some(first)
    }
}

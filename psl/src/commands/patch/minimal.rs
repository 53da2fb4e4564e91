//! The sets of places that carry the difference between two runs, layer by layer.

use std::sync::Arc;

use psl_program::{PatchBy, PatchPlace, Patching};
use psl_runtime::{CellId, record::Row};
use psl_syntax::program::RegisterId;
use rayon::{ThreadPool, prelude::*};

use crate::output::progress::{Progress, Unit};

/// The sets after all rows at which the runs have different values, in program order.
pub struct MinimalSets<'r>(pub Vec<MinimalSet<'r>>);

/// The set after a row.
pub struct MinimalSet<'r> {
    pub row: Row,
    /// The number of places with different values after the row.
    pub differing: usize,
    /// `None` if all places of the row together do not carry the difference.
    pub places: Option<Vec<&'r PatchPlace>>,
}

impl<'r> MinimalSets<'r> {
    /// Finds all sets.
    pub fn find(patching: &'r Patching<'r>, pool: &ThreadPool) -> Self {
        let rows = PatchBy::ROWS.groups(patching.differing());
        let rows: Vec<Vec<usize>> = rows.into_values().collect();
        let (progress, cancelled) = (Progress::new(Unit::Items("layers"), Some(rows.len() as u64)), Arc::default());
        let place = |index: &usize| patching.differing().get(*index);
        let set = |places: Vec<usize>| {
            let found = patching.minimal(&places, &cancelled);
            progress.item(1);
            Some(MinimalSet {
                row: place(places.first()?)?.row.clone(),
                differing: places.len(),
                places: found.map(|found| found.iter().filter_map(place).collect()),
            })
        };
        Self(pool.install(|| rows.into_par_iter().filter_map(set).collect()))
    }

    /// The sets, with those of rows right after each other together if they are equal.
    pub fn stretches(&self) -> impl Iterator<Item = &[MinimalSet<'r>]> {
        self.0.chunk_by(|left, right| left.values() == right.values())
    }
}

impl<'r> MinimalSet<'r> {
    /// The cells, registers and values of the set.
    fn values(&self) -> Option<Vec<(CellId, RegisterId, Option<&'r str>)>> {
        let value = |place: &&'r PatchPlace| (place.cell, place.register, place.donor.as_deref());
        Some(self.places.as_ref()?.iter().map(value).collect())
    }
}

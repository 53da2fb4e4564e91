//! Runs a block of layers: its passes share one cache per layer, and layers that cannot change anything are skipped.
//!
//! # Why only changed cells are updated again
//!
//! In a step's first pass, every layer updates all cells. Its effect on a cell in a later pass depends on three things: the
//! registers of the step's cells when they enter the layer, the number of cells, and the earlier cells' rows in the cache
//! for that pass. The number of cells is constant within a step. Every change of a register since the layer ran in the
//! previous pass is listed, its own changes included. In every pass after
//! [`KvCache::last_change`](crate::dat::kv_cache::KvCache::last_change), the cache returns the same rows as in the previous
//! pass.
//!
//! If no change is listed and the cache returns the same rows, each cell attends to the same cell and is set to the same
//! values. That changes nothing: a register overwritten since then would be listed. If a change is listed, the layer runs
//! again for all cells. If a cell can attend only to one at a fixed distance, it runs again only for the cells that changed
//! and those whose only candidate changed. A row that is not recorded equals that of the previous pass.
//!
//! # Why a block may end early
//!
//! A step takes at least as many passes as the earlier cells did. Suppose that the caches of all layers return the same rows
//! in every later pass, and that a pass has changed no register, not even temporarily. Then the next pass starts in the same
//! state, reads the same rows, and changes nothing either, and so do all further passes. After the last required pass,
//! `NO_CHANGE` ends the block. Conditions end it too, because they hold for some pair of earlier cells.
//!
//! An observer gets every cell in every pass. With an observer, all layers run for all cells, and no block ends early.

use std::mem;

use super::walk::{LayerCache, Walk};
use crate::{
    dat::{
        forward_step::ForwardStep,
        maps::{Layer, Repeat},
    },
    run_error::RunError,
};

/// The cache of a block of layers.
#[derive(Clone, Debug)]
pub(super) struct FlatCache {
    /// The number of passes so far.
    passes: usize,
    layers: Vec<LayerCache>,
}

impl FlatCache {
    pub(super) fn empty(repeat: &Repeat<Layer>, step: &ForwardStep<'_>) -> Self {
        Self { passes: 0, layers: repeat.body.iter().map(|layer| LayerCache::empty(layer, step)).collect() }
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.layers.iter().map(LayerCache::len).sum()
    }
}

/// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
pub(super) fn run(walk: &mut Walk<'_, '_>, repeat: &Repeat<Layer>, cache: &mut FlatCache) -> Result<(), RunError> {
    let before = cache.passes;
    // The last pass in which the row of an earlier cell changes.
    let quiet = cache.layers.iter().map(LayerCache::last_change).max().unwrap_or_default();
    let may_end_early = !walk.is_observed();
    let mut cycles = mem::take(&mut walk.cycles);
    for pass in 1.. {
        if pass == before.max(1) {
            cycles.start(&walk.step.states);
        }
        walk.start_pass(repeat, pass, &cycles)?;
        for (layer, cache) in repeat.body.iter().zip(&mut cache.layers) {
            walk.layer(layer, cache, Some(pass as u32))?;
        }
        walk.end_pass();
        if pass < before {
            if may_end_early && pass >= quiet && walk.step.changes_of_pass().is_empty() {
                break;
            }
            continue;
        }
        let ends = match &repeat.until {
            None => walk.step.is_unchanged(),
            Some(_) if before > 0 => true,
            Some(_) if walk.limits.ablates(&repeat.layers) && walk.step.is_unchanged() => true,
            Some(conditions) => walk.step.some_pair_matches(conditions, &mut walk.meter)?,
        };
        cache.passes = pass;
        if ends {
            break;
        }
        walk.check_cycle(repeat, &mut cycles)?;
    }
    walk.cycles = cycles;
    walk.step.changes.clear();
    cache.layers.iter_mut().try_for_each(|layer| walk.commit(layer))
}

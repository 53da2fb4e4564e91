//! A block of layers: its passes share one cache a layer, and what cannot change is left out.
//!
//! # Why only changed cells are looked at again
//!
//! In a step's first pass every layer looks at all cells. What it does to a cell in a later pass depends on three things:
//! the registers of the step's cells when they enter the layer, which cells there are, and what the cache gives of the earlier
//! cells in that pass. The cells stay the same all step long. All changes of registers since the layer's run in the pass
//! before, its own among them, are listed; and in every pass after
//! [`KvCache::last_change`](crate::dat::kv_cache::KvCache::last_change) the cache gives what it gave in the pass before.
//!
//! So where nothing is listed and the cache gives what it gave, each cell attends where it did and is set to what it was set
//! to. That changes nothing: a register that was overwritten since would be listed. Where something is listed, the layer runs
//! again for all cells, or, where a cell can attend only to one at a fixed distance, for those cells that changed or whose
//! only candidate did. A row that is not recorded counts as that of the pass before, which it is.
//!
//! # Why a block may end early
//!
//! A step takes at least as many passes as the earlier cells did. Once the caches of all layers give the same in every later
//! pass, and a pass has changed no register, not even for a while, the next pass starts where that one did, reads what it
//! read, and changes nothing either; and so on. At the last of the passes that are left, `NO_CHANGE` ends the block, and so do
//! conditions, as they hold for some pair of the earlier cells.
//!
//! An observer is told of every cell in every pass: for one, all layers run for all cells, and no block ends early.

use std::mem;

use super::walk::{LayerCache, Walk};
use crate::dat::forward_step::ForwardStep;
use crate::dat::maps::{Layer, Repeat};
use crate::run_error::RunError;

/// What a block of layers keeps.
#[derive(Clone, Debug)]
pub(super) struct FlatCache {
    /// The passes so far.
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
    // From which pass on the earlier cells stay as they are.
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

//! Finds the cells that the cells of a forward step attend to.

use psl_syntax::program::CausalAttn;

use super::step_cells::{ForwardStep, StepKind};
use crate::{
    dat::{
        conditions::Conditions,
        kv_cache::{KvCache, Shape},
        maps::Layer,
    },
    meter::Meter,
    run_error::RunError,
};

/// The method by which a layer finds the cell to attend to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    Nowhere,
    /// At this distance, positive to the right.
    At(isize),
    ByKey,
}

impl ForwardStep<'_> {
    fn search(&self, conditions: &Conditions) -> Search {
        if !conditions.can_hold() {
            return Search::Nowhere;
        }
        conditions.offset().filter(|_| self.pinned).map_or(Search::ByKey, Search::At)
    }

    /// An empty cache for a layer, or `None` if later cells attend to no earlier cell.
    pub(in crate::dat) fn empty_cache(&self, layer: &Layer) -> Option<KvCache> {
        let (equal, differ) = layer.conditions.sizes();
        let len = equal + differ + layer.value.len();
        match self.search(&layer.conditions) {
            _ if layer.causal_attn == Some(CausalAttn::Reverse) => None,
            Search::Nowhere | Search::At(0..) => None,
            // Only the cell to the left is read.
            Search::At(_) => {
                let shape = Shape { len, key: 0, differ: (0, 0), newer_first: true, newest_only: true };
                Some(KvCache::new(shape, 1))
            }
            Search::ByKey => {
                let (differ, newer_first) = ((equal, equal + differ), layer.right_match);
                let shape = Shape { len, key: equal, differ, newer_first, newest_only: false };
                Some(KvCache::new(shape, self.cells() + 8))
            }
        }
    }

    /// Finds the cells that the step's cells attend to, and adds the step's cells to the cache. If the layer ran in the
    /// previous pass, at time `since`, only cells affected by a change are updated. `forward/flat.rs` explains why that is
    /// enough.
    ///
    /// Fails if the meter stops the run.
    pub(in crate::dat) fn attend(
        &mut self,
        layer: &Layer,
        since: Option<u64>,
        cache: Option<&mut KvCache>,
        pass: Option<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), RunError> {
        self.matches.clear();
        self.values.clear();
        let recent = since.map(|since| self.changes.partition_point(|change| change.time < since));
        let changed = recent.is_none_or(|recent| recent < self.changes.len());
        match (self.search(&layer.conditions), self.kind()) {
            (Search::Nowhere, _) => {}
            (Search::At(offset), kind) if offset == 0 || kind == StepKind::Prefill => {
                if changed {
                    self.prefill_at(layer, offset, recent, meter)?;
                    if let Some(cache) = cache {
                        self.record_last(layer, cache, pass);
                    }
                }
            }
            (Search::ByKey, StepKind::Prefill) => {
                if changed {
                    self.prefill_by_key(layer, meter)?;
                    self.record(cache, pass);
                }
            }
            (search, _) => {
                let at = pass.unwrap_or(1);
                if changed || cache.as_ref().is_some_and(|cache| cache.last_change() >= at) {
                    self.decode(layer, search == Search::ByKey, cache, pass, meter)?;
                }
            }
        }
        Ok(())
    }

    /// Adds all rows to the cache.
    pub(super) fn record(&self, cache: Option<&mut KvCache>, pass: Option<u32>) {
        let Some(cache) = cache else { return };
        for (index, present) in self.rows.present.iter().enumerate() {
            let row = Some(self.rows.get(index as u32)).filter(|_| *present);
            cache.record(index, (self.first + index) as u32, pass, row);
        }
    }

    /// Adds the last cell's row to the cache.
    fn record_last(&mut self, layer: &Layer, cache: &mut KvCache, pass: Option<u32>) {
        let last = self.states.rchunks_exact(self.width).next();
        self.rows.fill(&layer.conditions, &layer.value, self.shifts, last);
        let row = Some(self.rows.get(0)).filter(|_| self.rows.present.first() == Some(&true));
        cache.record(0, (self.first + self.cells()).saturating_sub(1) as u32, pass, row);
    }
}

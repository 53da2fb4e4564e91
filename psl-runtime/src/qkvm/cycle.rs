//! Finds a recurring state of cells, once each pass depends only on the previous one.

use std::{collections::BTreeMap, mem};

use psl_syntax::program::RegisterId;

use super::{attributes::Held, cells::Cells};
use crate::{
    cell_id::CellId,
    meter::Meter,
    run_error::{Cycle, RunError, Turning},
};

/// The passes since a saved state. It is replaced after 1, 2, 4, … passes, so that only one is kept.
pub(super) struct CycleSearch {
    saved: Cells,
    passes: usize,
    limit: usize,
    /// The values of each register of each cell since then, if it changed.
    turning: BTreeMap<(usize, RegisterId), Vec<Held>>,
}

impl CycleSearch {
    pub(super) fn new(cells: &Cells, limit: usize) -> Self {
        Self { saved: cells.clone(), passes: 0, limit, turning: BTreeMap::new() }
    }

    pub(super) fn after_pass(
        &mut self,
        cells: &Cells,
        first: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Cycle>, RunError> {
        self.passes += 1;
        if self.saved == *cells {
            let turning = mem::take(&mut self.turning).into_iter();
            let turning =
                turning.map(|((cell, register), values)| Turning { cell: CellId::new(first + cell), register, values });
            return Ok(Some(Cycle { passes: self.passes, turning: turning.collect() }));
        }
        for (index, (was, is)) in self.saved.held.iter().zip(&cells.held).enumerate() {
            meter.compared(1)?;
            let place = (index / cells.width, RegisterId::new(index % cells.width));
            if was != is {
                let values = self.turning.entry(place).or_insert_with(|| vec![*was]);
                if !values.contains(is) {
                    values.push(*is);
                }
            }
        }
        if self.passes == self.limit {
            *self = Self::new(cells, 2 * self.limit);
        }
        Ok(None)
    }
}

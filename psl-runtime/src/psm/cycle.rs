//! Finds cycles in the passes of a block.

use psl_syntax::program::RegisterId;

use crate::{
    cell_id::CellId,
    meter::Meter,
    run_error::{Cycle, RunError, Turning},
    vocabulary::ValueId,
};

/// Finds a recurring state, once each pass depends only on the previous one. Keeps one state, replaced after 1, 2, 4, …
/// passes, so that memory does not grow with the passes.
pub(super) struct CycleSearch {
    kept: Vec<Option<ValueId>>,
    passes: usize,
    patience: usize,
    /// For each register, over all cells: its values since then, if it changed.
    seen: Vec<Vec<Option<ValueId>>>,
}

impl CycleSearch {
    /// `states` are the registers of the cells, one cell after the other.
    pub(super) fn new(states: &[Option<ValueId>], patience: usize) -> Self {
        Self { kept: states.to_vec(), passes: 0, patience, seen: Vec::new() }
    }

    /// Takes the states after a pass. `first` is the number of cells to their left, `width` the number of registers.
    pub(super) fn visit(
        &mut self,
        states: &[Option<ValueId>],
        first: usize,
        width: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Cycle>, RunError> {
        self.passes += 1;
        if self.kept == states {
            return Ok(Some(Cycle { passes: self.passes, turning: self.turning(first, width) }));
        }
        self.seen.resize_with(states.len(), Vec::new);
        for ((was, is), seen) in self.kept.iter().zip(states).zip(&mut self.seen) {
            meter.compared(1)?;
            if seen.is_empty() && was != is {
                seen.push(*was);
            }
            if !seen.is_empty() && !seen.contains(is) {
                seen.push(*is);
            }
        }
        if self.passes == self.patience {
            *self = Self::new(states, 2 * self.patience);
        }
        Ok(None)
    }

    fn turning(&self, first: usize, width: usize) -> Vec<Turning> {
        let turning = self.seen.iter().enumerate().filter(|(_, values)| !values.is_empty());
        let turning = turning.map(|(place, values)| Turning {
            cell: CellId::new(first + place / width),
            register: RegisterId::new(place % width),
            values: values.clone(),
        });
        turning.collect()
    }
}

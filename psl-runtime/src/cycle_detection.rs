//! Finds cycles in the states of a repeat block, once each pass depends only on the previous one.

use std::collections::BTreeMap;

use psl_syntax::program::RegisterId;

use crate::{
    cell_id::CellId,
    run_error::{Cycle, Turning},
    vocabulary::ValueId,
};

/// Brent's algorithm: saves one state, however many passes there are. When the passes since it was saved reach the
/// limit, the latest state replaces it, and the limit doubles. When the saved state recurs, one more round of the cycle
/// finds the registers that change.
#[derive(Debug)]
pub(crate) struct CycleDetection<V> {
    saved: Vec<V>,
    passes: usize,
    limit: usize,
    /// The number of passes left in the second round.
    left: Option<usize>,
    /// For each register that changed, by its index over all cells: its distinct values.
    turning: BTreeMap<usize, Vec<V>>,
}

impl<V> Default for CycleDetection<V> {
    fn default() -> Self {
        Self { saved: Vec::new(), passes: 0, limit: 1, left: None, turning: BTreeMap::new() }
    }
}

impl<V: Copy + PartialEq> CycleDetection<V> {
    pub(crate) fn start(&mut self, state: &[V]) {
        self.restart(state, 1);
    }

    fn restart(&mut self, state: &[V], limit: usize) {
        self.saved.clear();
        self.saved.extend_from_slice(state);
        (self.passes, self.limit) = (0, limit);
    }

    /// Whether a cycle was found. The remaining passes then only collect the registers that change.
    pub(crate) const fn is_closed(&self) -> bool {
        self.left.is_some()
    }

    /// Takes the state after a pass: the cells after `first`, each with `registers` values. Returns the cycle after its
    /// second round. `held` converts a value, with `None` for null.
    pub(crate) fn after_pass(
        &mut self,
        state: &[V],
        first: usize,
        registers: usize,
        held: impl Fn(V) -> Option<ValueId>,
    ) -> Option<Cycle> {
        let Some(left) = &mut self.left else {
            self.passes += 1;
            if self.saved == state {
                self.left = Some(self.passes);
            } else if self.passes == self.limit {
                self.restart(state, 2 * self.limit);
            }
            return None;
        };
        *left -= 1;
        for (place, (then, now)) in self.saved.iter().zip(state).enumerate() {
            if then != now {
                let values = self.turning.entry(place).or_insert_with(|| vec![*then]);
                if !values.contains(now) {
                    values.push(*now);
                }
            }
        }
        if *left > 0 {
            return None;
        }
        let turning = self.turning.iter().map(|(place, values)| Turning {
            cell: CellId::new(first + place / registers),
            register: RegisterId::new(place % registers),
            values: values.iter().copied().map(&held).collect(),
        });
        Some(Cycle { passes: self.passes, turning: turning.collect() })
    }
}

//! Whether cells come back to a state that they had, while the next pass depends on nothing but the last.

use std::collections::BTreeMap;

use crate::run_error::{Cycle, Turning};
use crate::vocabulary::ValueId;

/// The passes since a saved state (Brent's algorithm): whenever there are as many as the limit, which doubles, the state is
/// replaced by the latest, so that one is saved however many passes there are. When it comes back, the cycle is gone round
/// once more to see which registers turn.
#[derive(Debug)]
pub(crate) struct CycleDetection<V> {
    saved: Vec<V>,
    passes: usize,
    limit: usize,
    /// How many passes are left of the second round.
    left: Option<usize>,
    /// By register, cell after cell: the values that it has had, where it changed.
    turning: BTreeMap<usize, Vec<V>>,
}

impl<V> Default for CycleDetection<V> {
    fn default() -> Self {
        Self { saved: Vec::new(), passes: 0, limit: 1, left: None, turning: BTreeMap::new() }
    }
}

impl<V: Copy + PartialEq> CycleDetection<V> {
    /// Starts from a state.
    pub(crate) fn start(&mut self, state: &[V]) {
        self.restart(state, 1);
    }

    fn restart(&mut self, state: &[V], limit: usize) {
        self.saved.clear();
        self.saved.extend_from_slice(state);
        (self.passes, self.limit) = (0, limit);
    }

    /// Whether the block can never stop: its next passes are only to find out how it goes round.
    pub(crate) const fn is_closed(&self) -> bool {
        self.left.is_some()
    }

    /// Takes the state after a pass, of the cells after the `first`, each of so many registers. Gives the cycle after the
    /// second round; `held` gives what a register holds.
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
            cell: first + place / registers + 1,
            register: place % registers,
            values: values.iter().copied().map(&held).collect(),
        });
        Some(Cycle { passes: self.passes, turning: turning.collect() })
    }
}

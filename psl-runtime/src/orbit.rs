//! Whether cells come back to a state that they had, while the next pass depends on nothing but the last.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::machine::{Cycle, Turning};
use crate::vocabulary::ValueId;

/// The passes since some state. A new orbit starts whenever the old one has become as long as its limit, which doubles, so
/// that one state is kept however many passes there are.
#[derive(Debug)]
pub(crate) struct Orbit<V> {
    start: Vec<V>,
    passes: usize,
    limit: usize,
    /// By register, cell after cell: the values that it has had, where it changed.
    turning: FxHashMap<usize, SmallVec<[V; 2]>>,
}

impl<V> Default for Orbit<V> {
    fn default() -> Self {
        Self { start: Vec::new(), passes: 0, limit: 1, turning: FxHashMap::default() }
    }
}

impl<V: Copy + PartialEq> Orbit<V> {
    /// Starts from a state.
    pub(crate) fn start(&mut self, state: &[V], limit: usize) {
        self.start.clear();
        self.start.extend_from_slice(state);
        self.turning.clear();
        (self.passes, self.limit) = (0, limit);
    }

    /// Takes the state after a pass, of the cells after the `first`, that differs from the one before at most in the
    /// `changed` places. Gives the cycle, where it is back where the orbit started. Each cell has that many registers; `held`
    /// gives what a register holds.
    pub(crate) fn closed_by(
        &mut self,
        state: &[V],
        changed: impl IntoIterator<Item = usize>,
        first: usize,
        registers: usize,
        held: impl Fn(V) -> Option<ValueId>,
    ) -> Option<Cycle> {
        self.passes += 1;
        if self.start == state {
            let mut turning: Vec<Turning> = self
                .turning
                .drain()
                .map(|(place, values)| Turning {
                    cell: first + place / registers + 1,
                    register: place % registers,
                    values: values.into_iter().map(&held).collect(),
                })
                .collect();
            turning.sort_unstable_by_key(|turning| (turning.cell, turning.register));
            return Some(Cycle { passes: self.passes, turning });
        }
        for place in changed {
            let (Some(then), Some(now)) = (self.start.get(place), state.get(place)) else { continue };
            if then != now {
                let values = self.turning.entry(place).or_insert_with(|| smallvec![*then]);
                if !values.contains(now) {
                    values.push(*now);
                }
            }
        }
        if self.passes == self.limit {
            self.start(state, 2 * self.limit);
        }
        None
    }
}

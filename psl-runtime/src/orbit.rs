//! Whether cells come back to a state that they had, while the next pass depends on nothing but the last.

use std::collections::BTreeMap;
use std::hash::Hash;

use rustc_hash::FxHashSet;

use crate::machine::{Cycle, Turning};
use crate::vocabulary::ValueId;

/// The passes since some state. A new orbit starts whenever the old one has become as long as its limit, which doubles, so
/// that one state is kept however many passes there are.
#[derive(Debug)]
pub(crate) struct Orbit<V> {
    start: Vec<V>,
    passes: usize,
    limit: usize,
    /// What registers held after passes that changed them, as register, cell after cell, and value.
    held: Vec<(usize, V)>,
    /// When to leave out what is double.
    full: usize,
}

impl<V> Default for Orbit<V> {
    fn default() -> Self {
        Self { start: Vec::new(), passes: 0, limit: 1, held: Vec::new(), full: 0 }
    }
}

impl<V: Copy + Eq + Hash> Orbit<V> {
    /// Starts from a state.
    pub(crate) fn start(&mut self, state: &[V]) {
        self.restart(state, 1);
    }

    fn restart(&mut self, state: &[V], limit: usize) {
        self.start.clear();
        self.start.extend_from_slice(state);
        self.held.clear();
        (self.passes, self.limit, self.full) = (0, limit, 2 * state.len());
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
            self.leave_out_doubles();
            let turning = self.turning().into_iter().map(|(place, values)| Turning {
                cell: first + place / registers + 1,
                register: place % registers,
                values: values.into_iter().map(&held).collect(),
            });
            return Some(Cycle { passes: self.passes, turning: turning.collect() });
        }
        self.held.extend(changed.into_iter().filter_map(|place| Some((place, *state.get(place)?))));
        if self.held.len() > self.full {
            self.leave_out_doubles();
            self.full = 2 * (self.held.len() + state.len());
        }
        if self.passes == self.limit {
            self.restart(state, 2 * self.limit);
        }
        None
    }

    fn leave_out_doubles(&mut self) {
        let mut seen = FxHashSet::default();
        self.held.retain(|held| seen.insert(*held));
    }

    /// By register: what it held at the start and after, each value once, where that is more than one.
    fn turning(&self) -> BTreeMap<usize, Vec<V>> {
        let mut turning: BTreeMap<usize, Vec<V>> = BTreeMap::new();
        for &(place, value) in &self.held {
            let Some(start) = self.start.get(place) else { continue };
            if value != *start {
                turning.entry(place).or_insert_with(|| vec![*start]).push(value);
            }
        }
        turning
    }
}

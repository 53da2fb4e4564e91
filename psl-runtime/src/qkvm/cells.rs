//! The states of several cells.

use psl_syntax::index::at;

use super::attributes::Held;
use crate::input::State;

/// The states of several cells, concatenated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    pub(super) width: usize,
    pub(super) held: Vec<Held>,
}

impl Cells {
    pub(super) fn new(width: usize, states: &[State]) -> Self {
        let held = states.iter().flat_map(|state| (0..width).map(|register| state.get(register).copied().flatten()));
        Self { width, held: held.collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.held.len().checked_div(self.width).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    pub(super) fn from(&self, first: usize) -> Self {
        Self { width: self.width, held: at(&self.held, first * self.width..).to_vec() }
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.held.append(&mut other.held);
    }

    pub(super) fn push(&mut self, state: &[Held]) {
        self.held.extend_from_slice(state);
    }

    pub(super) fn last(&self) -> Option<State> {
        self.iter().next_back().map(State::from)
    }

    pub(super) fn to_states(&self) -> Vec<State> {
        self.iter().map(State::from).collect()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &[Held]> {
        self.held.chunks_exact(self.width.max(1))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [Held]> {
        self.held.chunks_exact_mut(self.width.max(1))
    }
}

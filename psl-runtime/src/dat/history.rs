//! The values that the cells so far had in the course of their forward steps: what keys and values are read from.

use smallvec::SmallVec;

use super::value::{NULL, Value};

/// The tick of a layer, and the value that it wrote.
type Written = (u32, Value);

/// For each register of each cell its values, in the order of writing.
#[derive(Debug, Default)]
pub(super) struct History {
    width: usize,
    /// By cell and register: the values that cells enter with.
    entered: Vec<Value>,
    /// By cell and register: the values written after.
    written: Vec<SmallVec<[Written; 2]>>,
    /// The places in `written` that are not empty.
    used: Vec<usize>,
    /// The number of values written.
    pub(super) writes: usize,
}

impl History {
    /// Forgets all cells.
    pub(super) fn reset(&mut self, width: usize) {
        self.width = width;
        self.writes = 0;
        self.entered.clear();
        for place in self.used.drain(..) {
            if let Some(written) = self.written.get_mut(place) {
                written.clear();
            }
        }
    }

    /// Adds cells.
    pub(super) fn enter(&mut self, states: &[Value]) {
        self.entered.extend_from_slice(states);
        if self.written.len() < self.entered.len() {
            self.written.resize_with(self.entered.len(), SmallVec::new);
        }
    }

    /// Notes that the layer at a tick writes a value. `place` is the register's index over all cells.
    #[inline]
    pub(super) fn write(&mut self, place: usize, tick: u32, value: Value) {
        if let Some(written) = self.written.get_mut(place) {
            if written.is_empty() {
                self.used.push(place);
            }
            written.push((tick, value));
            self.writes += 1;
        }
    }

    /// The value that the layer at a tick reads.
    #[inline]
    pub(super) fn at(&self, cell: usize, register: usize, tick: u32) -> Value {
        let place = cell * self.width + register;
        let written = self.written.get(place).map(SmallVec::as_slice).unwrap_or_default();
        let last = before(written, tick).checked_sub(1).and_then(|last| written.get(last));
        last.map_or_else(|| self.entered.get(place).copied().unwrap_or(NULL), |(_, value)| *value)
    }

    /// The values that the layers at these ticks read.
    pub(super) fn during(
        &self,
        cell: usize,
        register: usize,
        from: u32,
        to: u32,
    ) -> impl Iterator<Item = Value> + use<'_> {
        let place = cell * self.width + register;
        let written = self.written.get(place).map(SmallVec::as_slice).unwrap_or_default();
        let later = written.get(before(written, from)..before(written, to)).unwrap_or_default();
        [self.at(cell, register, from)].into_iter().chain(later.iter().map(|(_, value)| *value))
    }
}

/// The number of values written before a tick.
#[inline]
fn before(written: &[Written], tick: u32) -> usize {
    if written.len() > 8 {
        return written.partition_point(|(at, _)| *at < tick);
    }
    written.iter().rposition(|(at, _)| *at < tick).map_or(0, |index| index + 1)
}

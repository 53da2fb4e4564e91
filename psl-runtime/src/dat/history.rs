//! The values that the cells so far had in the course of their forward steps: what keys and values are read from.
//!
//! Each write remembers the value that it replaced. The value at an earlier time is found by going back from the last
//! write.

use psl_syntax::index::at_mut;

use super::value::{NULL, Value};

/// A write to a register of a cell.
#[derive(Clone, Copy, Debug)]
struct Write {
    /// The register's index over all cells.
    place: u32,
    /// The tick of the layer.
    tick: u32,
    old: Value,
    /// The write to the same place before this one, or [`NONE`].
    before: u32,
    /// The last of the writes before whose number is a multiple of [`STRIDE`], or [`NONE`].
    far: u32,
    /// The number of writes to the place before this one.
    number: u32,
}

const NONE: u32 = u32::MAX;

/// The distance between writes to a place that long ways back lead over.
const STRIDE: u32 = 32;

/// The writes of all steps.
#[derive(Debug, Default)]
pub(super) struct History {
    width: usize,
    writes: Vec<Write>,
    /// By cell and register: the last write.
    latest: Vec<u32>,
}

impl History {
    /// Forgets all cells.
    pub(super) fn reset(&mut self, width: usize) {
        self.width = width;
        self.writes.clear();
        self.latest.clear();
    }

    /// Forgets the writes.
    pub(super) fn clear(&mut self) {
        for write in self.writes.drain(..) {
            if let Some(latest) = self.latest.get_mut(write.place as usize) {
                *latest = NONE;
            }
        }
    }

    /// Adds cells with that many registers together.
    pub(super) fn enter(&mut self, registers: usize) {
        self.latest.resize(self.latest.len() + registers, NONE);
    }

    /// The number of writes.
    pub(super) fn len(&self) -> usize {
        self.writes.len()
    }

    /// Notes that the layer at a tick replaces a value. `place` is the register's index over all cells.
    #[inline]
    pub(super) fn write(&mut self, place: usize, tick: u32, old: Value) {
        let latest = at_mut(&mut self.latest, place);
        let before = *latest;
        let (far, number) = match self.writes.get(before as usize) {
            None => (NONE, 0),
            Some(write) if write.number % STRIDE == 0 => (before, write.number + 1),
            Some(write) => (write.far, write.number + 1),
        };
        *latest = self.writes.len() as u32;
        self.writes.push(Write { place: place as u32, tick, old, before, far, number });
    }

    /// The writes since there were that many, with the register's index over all cells and the value replaced.
    pub(super) fn since(&self, len: usize) -> impl Iterator<Item = (usize, Value)> {
        self.writes.iter().skip(len).map(|write| (write.place as usize, write.old))
    }

    /// The value that the layer at a tick reads. `now` has the registers of the cells so far.
    #[inline]
    pub(super) fn at(&self, now: &[Value], cell: usize, register: usize, tick: u32) -> Value {
        self.back(now, cell, register, tick).0
    }

    /// The values that the layers at these ticks read.
    pub(super) fn during(
        &self,
        now: &[Value],
        cell: usize,
        register: usize,
        from: u32,
        to: u32,
    ) -> impl Iterator<Item = Value> + use<'_> {
        let (last, mut write) = self.back(now, cell, register, to);
        let earlier = std::iter::from_fn(move || {
            let Write { tick, old, before, .. } = *self.writes.get(write as usize)?;
            write = before;
            (tick >= from).then_some(old)
        });
        [last].into_iter().chain(earlier)
    }

    /// The value before a tick, and the write of it.
    #[inline]
    fn back(&self, now: &[Value], cell: usize, register: usize, tick: u32) -> (Value, u32) {
        let place = cell * self.width + register;
        let mut value = now.get(place).copied().unwrap_or(NULL);
        let mut latest = self.latest.get(place).copied().unwrap_or(NONE);
        while let Some(write) = self.writes.get(latest as usize).filter(|write| write.tick >= tick) {
            let far = self.writes.get(write.far as usize).filter(|far| far.tick >= tick);
            let write = far.unwrap_or(write);
            (value, latest) = (write.old, write.before);
        }
        (value, latest)
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use std::collections::BTreeSet;

    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::History;

    #[test]
    fn the_values_of_each_tick_are_found() {
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut history = History::default();
        for ticks in [1, 10, 100, 500] {
            let (cells, width) = (2, 2);
            history.reset(width);
            history.enter(cells * width);
            // By tick, from the first layer's: the values that the layer reads.
            let mut read = vec![vec![0; cells * width]];
            for tick in 1..=ticks {
                let mut now = read[tick - 1].clone();
                for (place, value) in now.iter_mut().enumerate() {
                    if random.random_range(0..4) < place {
                        history.write(place, tick as u32, *value);
                        *value = random.random_range(0..9);
                    }
                }
                read.push(now);
            }
            let now = &read[ticks];
            for (tick, values) in read.iter().enumerate() {
                let later = random.random_range(tick..=ticks);
                for (place, value) in values.iter().enumerate() {
                    let (cell, register) = (place / width, place % width);
                    let tick_of = |tick: usize| tick as u32 + 1;
                    assert_eq!(history.at(now, cell, register, tick_of(tick)), *value, "{place} at {tick} of {ticks}");
                    let during = history.during(now, cell, register, tick_of(tick), tick_of(later));
                    let expected: BTreeSet<u32> = read[tick..=later].iter().map(|values| values[place]).collect();
                    assert_eq!(during.collect::<BTreeSet<u32>>(), expected, "{place} from {tick} to {later}");
                }
            }
        }
    }
}

//! The writes and the attention of one cell. Most passes of a repeat block repeat the previous one, so equal passes are
//! kept as one stretch.

use std::ops::{Range, RangeInclusive};

use psl_syntax::index::IndexVec;

use super::row::{RowId, Time};

/// Consecutive passes of a cell through a layer with the same value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<T> {
    /// The number of the track: see [`Stretches`].
    track: u32,
    /// The row of the first pass.
    first: RowId,
    /// The row of the last pass.
    last: RowId,
    pub(super) value: T,
}

/// The stretches of one cell, by track and then by row. A track is one layer's writes of one register, or its
/// attention.
#[derive(Debug)]
pub(super) struct Stretches<T> {
    stretches: Vec<Stretch<T>>,
    /// The index of the last stretch of each track while the cell is recorded.
    latest: Vec<Option<u32>>,
}

/// A row, and the row of the same layer that the cell ran before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) row: RowId,
    pub(super) before: Option<RowId>,
}

impl<T> Stretch<T> {
    /// The rows from the first pass to the last one. Those of the layer that the cell ran belong to the stretch.
    pub(super) fn rows(&self) -> RangeInclusive<RowId> {
        self.first..=self.last
    }

    /// The times before the first pass and after the last one.
    pub(super) fn times(&self) -> Range<Time> {
        Time::before(self.first)..Time::after(self.last)
    }
}

impl<T> Default for Stretches<T> {
    fn default() -> Self {
        Self { stretches: Vec::new(), latest: Vec::new() }
    }
}

impl<T: Copy + Eq> Stretches<T> {
    /// Records a value. Returns whether it begins a stretch.
    pub(super) fn record(&mut self, track: u32, pass: Pass, value: T) -> bool {
        let index = track as usize;
        if self.latest.len() <= index {
            self.latest.resize(index + 1, None);
        }
        let Some(latest) = self.latest.get_mut(index) else { unreachable!("the track has just got its place") };
        let stretch = latest.and_then(|latest| self.stretches.get_mut(latest as usize));
        if let Some(stretch) = stretch.filter(|it| Some(it.last) == pass.before && it.value == value) {
            stretch.last = pass.row;
            return false;
        }
        *latest = Some(self.stretches.len() as u32);
        if self.stretches.len() == self.stretches.capacity() {
            // The cells of a prompt grow together. Doubling their capacity would take twice the memory.
            self.stretches.reserve_exact(self.stretches.len() / 8 + 4);
        }
        self.stretches.push(Stretch { track, first: pass.row, last: pass.row, value });
        true
    }

    /// Removes the last pass that was recorded.
    pub(super) fn remove(&mut self, pass: Pass) {
        self.stretches.retain_mut(|stretch| match pass.before {
            _ if stretch.last != pass.row => true,
            Some(before) if stretch.first != pass.row => {
                stretch.last = before;
                true
            }
            _ => false,
        });
    }

    /// Ends the record of the cell. `renumbered` has the new index of each row.
    pub(super) fn finish(&mut self, renumbered: &IndexVec<RowId, RowId>) {
        self.latest = Vec::new();
        for stretch in &mut self.stretches {
            (stretch.first, stretch.last) = (renumbered[stretch.first], renumbered[stretch.last]);
        }
        self.stretches.sort_unstable_by_key(|stretch| (stretch.track, stretch.first));
        self.stretches.shrink_to_fit();
    }

    /// The last stretch of a track that begins before a time.
    pub(super) fn last_before(&self, track: u32, time: Time) -> Option<&Stretch<T>> {
        let end = self.stretches.partition_point(|it| (it.track, Time::before(it.first)) < (track, time));
        self.stretches.get(..end)?.last().filter(|it| it.track == track)
    }

    /// The value at a row that the cell ran.
    pub(super) fn at(&self, track: u32, row: RowId) -> Option<T> {
        let stretch = self.last_before(track, Time::after(row))?;
        stretch.rows().contains(&row).then_some(stretch.value)
    }

    /// The stretches of a track in order.
    pub(super) fn of_track(&self, track: u32) -> &[Stretch<T>] {
        let start = self.stretches.partition_point(|it| it.track < track);
        let end = self.stretches.partition_point(|it| it.track <= track);
        self.stretches.get(start..end).unwrap_or_default()
    }
}

//! The keys and values of earlier cells, at one layer and in each pass of the enclosing block.
//!
//! A cell's keys and values change in few passes, and few cells are ever attended to. By key, the cache keeps the cells that
//! qualify and the pass from which on they do. Its result for a pass is correct, because
//!
//! - a row is kept with the first and the last pass in which a cell has it, and in a pass that is not recorded, the cell has
//!   the row of the previous pass;
//! - a cell's last row is valid for all later passes, in which the cell rests;
//! - of cells with the same key, only those that no query can select are left out (`candidate_pruning.rs`). If a layer reads
//!   only the cell to the left, all except the newest are.

use std::mem;

use smallvec::{SmallVec, smallvec};

use super::{candidate_pruning, index::Buckets, value::Value};

/// The greatest possible pass.
const LAST_PASS: u32 = u32::MAX;

/// The rows of cells, by key and pass.
#[derive(Clone, Debug)]
pub(super) struct KvCache {
    shape: Shape,
    buckets: Buckets,
    /// By bucket: spans of passes. Each ends where the next one starts.
    spans: Vec<SmallVec<[Span; 1]>>,
    /// The rows recorded since the last lookup. In most layers, rows are never looked up.
    pending: Vec<LiveRange>,
    rows: Vec<Value>,
    /// The number of values recorded since the last [`KvCache::take_recorded`].
    recorded: usize,
    /// The last pass in which a row changes.
    last_change: u32,
    /// By cell of the step: its current row.
    open: Vec<Option<OpenRow>>,
    open_rows: Vec<Value>,
    /// The previous rows of the step's cells: first pass, last pass and cell.
    ended: Vec<(u32, u32, u32)>,
    ended_rows: Vec<Value>,
}

/// The structure of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The number of values in a row: the key, the readings that must differ, and the values.
    pub(super) len: usize,
    /// The length of the key.
    pub(super) key: usize,
    /// The range of the readings that must differ from the query's.
    pub(super) differ: (usize, usize),
    /// Whether a newer cell is selected before an older one.
    pub(super) newer_first: bool,
    /// Whether only the newest cell can be attended to.
    pub(super) newest_only: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Span {
    from: u32,
    /// The entries that qualify, from the left.
    entries: Entries,
}

type Entries = SmallVec<[CachedCell; 1]>;

#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedCell {
    cell: u32,
    /// The index of its row.
    row: u32,
}

/// A cell's row in a range of passes.
#[derive(Clone, Copy, Debug)]
struct LiveRange {
    from: u32,
    to: u32,
    entry: CachedCell,
}

/// The row that a cell of the step has had since a pass.
#[derive(Clone, Copy, Debug)]
struct OpenRow {
    cell: u32,
    since: u32,
}

impl KvCache {
    /// An empty cache with capacity for `rows` rows.
    pub(super) fn new(shape: Shape, rows: usize) -> Self {
        Self {
            shape,
            buckets: Buckets::default(),
            spans: Vec::new(),
            pending: Vec::with_capacity(rows),
            rows: Vec::with_capacity(rows * shape.len),
            recorded: 0,
            last_change: 1,
            open: Vec::new(),
            open_rows: Vec::new(),
            ended: Vec::new(),
            ended_rows: Vec::new(),
        }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// The last pass in which the row of an earlier cell changes.
    pub(super) fn last_change(&self) -> u32 {
        self.last_change
    }

    /// The number of values kept.
    pub(super) fn len(&self) -> usize {
        self.rows.len() + self.pending.len() + self.spans.len()
    }

    /// The number of values that were recorded since the last call.
    pub(super) fn take_recorded(&mut self) -> usize {
        mem::take(&mut self.recorded)
    }

    /// The cells with that key that qualify in a pass, in the order of selection, with their rows.
    pub(super) fn find(&mut self, key: &[Value], pass: u32) -> impl Iterator<Item = (u32, &[Value])> {
        for index in 0..self.pending.len() {
            if let Some(range) = self.pending.get(index).copied() {
                self.add(range);
            }
        }
        self.pending.clear();
        let this = &*self;
        let spans = this.buckets.find(key).and_then(|bucket| this.spans.get(bucket));
        let spans = spans.map(SmallVec::as_slice).unwrap_or_default();
        let index = spans.partition_point(|span| span.from <= pass);
        let entries = index.checked_sub(1).and_then(|index| spans.get(index)).map(|span| span.entries.as_slice());
        let entries = entries.unwrap_or_default();
        (0..entries.len()).filter_map(move |index| {
            let place = if this.shape.newer_first { entries.len() - 1 - index } else { index };
            let entry = entries.get(place)?;
            Some((entry.cell, row(&this.rows, this.shape, *entry)))
        })
    }

    /// Records a cell's row in a pass, or `None` if no cell can attend to it. `index` is the cell's index in the step.
    /// Passes come in order, and a pass without a record is like the previous one. Outside a block, without a pass, a row is
    /// final.
    pub(super) fn record(&mut self, index: usize, cell: u32, pass: Option<u32>, row: Option<&[Value]>) {
        let Some(pass) = pass else {
            self.evict_older();
            if let Some(row) = row {
                self.keep(1, LAST_PASS, cell, row);
            }
            return;
        };
        let len = self.shape.len;
        let place = index * len..(index + 1) * len;
        if self.open.len() <= index {
            self.open.resize(index + 1, None);
            self.open_rows.resize(place.end, 0);
        }
        let open = self.open.get(index).copied().flatten();
        let open_row = self.open_rows.get(place.clone()).unwrap_or_default();
        if open.is_some() && row == Some(open_row) {
            return;
        }
        if let Some(OpenRow { cell, since }) = open {
            self.ended.push((since, pass - 1, cell));
            self.ended_rows.extend_from_slice(open_row);
        }
        if let Some(open) = self.open.get_mut(index) {
            *open = row.map(|_| OpenRow { cell, since: pass });
        }
        if let (Some(row), Some(open_row)) = (row, self.open_rows.get_mut(place)) {
            open_row.copy_from_slice(row);
        }
    }

    /// Keeps the rows of the step's cells after their last pass.
    pub(super) fn commit(&mut self) {
        self.evict_older();
        let (mut ended, mut ended_rows) = (mem::take(&mut self.ended), mem::take(&mut self.ended_rows));
        for (index, (from, to, cell)) in ended.drain(..).enumerate() {
            self.keep(from, to, cell, ended_rows.get(index * self.shape.len..).unwrap_or_default());
        }
        ended_rows.clear();
        (self.ended, self.ended_rows) = (ended, ended_rows);
        let (mut open, rows) = (mem::take(&mut self.open), mem::take(&mut self.open_rows));
        for (index, slot) in open.iter_mut().enumerate() {
            if let Some(OpenRow { cell, since }) = slot.take() {
                self.keep(since, LAST_PASS, cell, rows.get(index * self.shape.len..).unwrap_or_default());
            }
        }
        (self.open, self.open_rows) = (open, rows);
    }

    /// Removes all rows before the next cell if only the newest cell can be attended to.
    fn evict_older(&mut self) {
        if self.shape.newest_only {
            self.last_change = 1;
            self.pending.clear();
            self.spans.clear();
            self.rows.clear();
        }
    }

    fn keep(&mut self, from: u32, to: u32, cell: u32, row: &[Value]) {
        self.last_change = self.last_change.max(if to == LAST_PASS { from } else { to + 1 });
        self.pending.push(LiveRange { from, to, entry: CachedCell { cell, row: self.rows.len() as u32 } });
        self.recorded += self.shape.len + 1;
        self.rows.extend_from_slice(row.get(..self.shape.len).unwrap_or_default());
    }

    /// Adds a row to the spans in which it qualifies.
    fn add(&mut self, LiveRange { from, to, entry }: LiveRange) {
        let Self { shape, buckets, spans, rows, .. } = self;
        let bucket = buckets.number(row(rows, *shape, entry).get(..shape.key).unwrap_or_default());
        if spans.len() <= bucket {
            spans.resize_with(bucket + 1, SmallVec::new);
        }
        let Some(spans) = spans.get_mut(bucket) else { return };
        let (start, end) = (cut(spans, from), if to == LAST_PASS { spans.len() } else { cut(spans, to + 1) });
        for span in spans.get_mut(start..end).unwrap_or_default() {
            insert(&mut span.entries, entry, rows, *shape);
        }
        spans.dedup_by(|later, earlier| later.entries == earlier.entries);
    }
}

/// Makes a span start at that pass. Returns its index.
fn cut(spans: &mut SmallVec<[Span; 1]>, from: u32) -> usize {
    let index = spans.partition_point(|span| span.from < from);
    if spans.get(index).is_none_or(|span| span.from != from) {
        let before = index.checked_sub(1).and_then(|before| spans.get(before));
        let entries = before.map_or_else(|| smallvec![], |span| span.entries.clone());
        spans.insert(index, Span { from, entries });
    }
    index
}

/// Adds an entry if it qualifies.
fn insert(entries: &mut Entries, entry: CachedCell, rows: &[Value], shape: Shape) {
    let place = entries.partition_point(|other| other.cell < entry.cell);
    entries.insert(place, entry);
    let differ = |entry: &CachedCell| row(rows, shape, *entry).get(shape.differ.0..shape.differ.1).unwrap_or_default();
    candidate_pruning::retain(entries, shape.newer_first, differ);
}

fn row(rows: &[Value], shape: Shape, CachedCell { row, .. }: CachedCell) -> &[Value] {
    rows.get(row as usize..row as usize + shape.len).unwrap_or_default()
}

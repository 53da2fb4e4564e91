//! The rows of a run, in program order.

use std::{cmp::Ordering, ops::Range};

use psl_syntax::{
    index::{IndexVec, id},
    program::ProductionId,
};

use crate::{executable::Executable, qkvl::Block, weights::WeightsBlock};

id! {
    /// Index of a row in the program order of a run.
    pub RowId
}

/// A time of a run: the number of its rows that are over. Row r is between the times r and r + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(usize);

impl Time {
    /// Before the first row.
    pub const START: Self = Self(0);

    /// The time when this many rows are over.
    pub const fn new(rows: usize) -> Self {
        Self(rows)
    }

    /// The time right before a row.
    pub const fn before(row: RowId) -> Self {
        Self(row.index())
    }

    /// The time right after a row.
    pub const fn after(row: RowId) -> Self {
        Self(row.index() + 1)
    }

    /// The row that follows. The last time has none.
    pub const fn row(self) -> RowId {
        RowId::new(self.0)
    }

    /// The number of rows that are over.
    pub const fn rows(self) -> usize {
        self.0
    }
}

/// A layer in certain passes of its repeat blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The layer.
    pub layer: ProductionId,
    /// The passes of the enclosing repeat blocks, outermost first, as in [`Update`](crate::Update).
    pub pass: Vec<usize>,
}

/// The repeat blocks around each layer, outermost first.
#[derive(Debug)]
pub struct BlocksOfLayers(IndexVec<ProductionId, Vec<usize>>);

impl BlocksOfLayers {
    /// The blocks of a program, of its weights if it has them, which may have no form in QKVL.
    pub fn new(executable: &Executable) -> Self {
        let mut blocks = Self(IndexVec::default());
        match executable.model() {
            None => blocks.add(&executable.qkvl().weights, &mut Vec::new(), &mut 0, &|block| match block {
                Block::Layer(_) => None,
                Block::Repeat(repeat) => Some(&repeat.weights),
            }),
            Some(model) => blocks.add(&model.weights.blocks, &mut Vec::new(), &mut 0, &|block| match block {
                WeightsBlock::Layer(_) => None,
                WeightsBlock::Repeat(repeat) => Some(&repeat.blocks),
            }),
        }
        blocks
    }

    /// Adds the layers of a list. `inside` returns the list of a repeat block.
    fn add<B>(&mut self, list: &[B], around: &mut Vec<usize>, count: &mut usize, inside: &impl Fn(&B) -> Option<&[B]>) {
        for block in list {
            let Some(list) = inside(block) else {
                self.0.push(around.clone());
                continue;
            };
            *count += 1;
            around.push(*count);
            self.add(list, around, count, inside);
            around.pop();
        }
    }

    /// The numbers of the blocks around a layer, in the order in which they open, from 1.
    pub fn around(&self, layer: ProductionId) -> &[usize] {
        self.0.find(layer).map_or(&[], Vec::as_slice)
    }

    /// The order in which a cell runs two rows: a pass of a block that contains both layers ends before the next one
    /// starts.
    fn program_order(&self, left: &Row, right: &Row) -> Ordering {
        let blocks = self.around(left.layer).iter().zip(self.around(right.layer));
        let shared = blocks.take_while(|(left, right)| left == right).count();
        let passes = left.pass.iter().take(shared).cmp(right.pass.iter().take(shared));
        passes.then(left.layer.cmp(&right.layer)).then_with(|| left.pass.cmp(&right.pass))
    }
}

/// Rows in program order.
#[derive(Debug)]
pub(super) struct Rows {
    sorted: IndexVec<RowId, Row>,
    /// The rows of each layer, in ascending order.
    of_layers: IndexVec<ProductionId, Vec<RowId>>,
    blocks: BlocksOfLayers,
}

impl Rows {
    /// Sorts rows. Returns also the new index of each row by its old one.
    pub(super) fn new(rows: IndexVec<RowId, Row>, blocks: BlocksOfLayers) -> (Self, IndexVec<RowId, RowId>) {
        let mut sorted: Vec<(RowId, Row)> = rows.ids().zip(rows).collect();
        sorted.sort_unstable_by(|(_, left), (_, right)| blocks.program_order(left, right));
        let (old, sorted): (Vec<RowId>, Vec<Row>) = sorted.into_iter().unzip();
        let sorted = IndexVec::from(sorted);
        let mut renumbered = IndexVec::from(vec![RowId::new(0); old.len()]);
        sorted.ids().zip(old).for_each(|(new, old)| renumbered[old] = new);
        let mut of_layers = IndexVec::from(vec![Vec::new(); blocks.0.len()]);
        for (row, Row { layer, .. }) in sorted.ids().zip(&sorted) {
            of_layers[*layer].push(row);
        }
        of_layers.as_mut_slice().iter_mut().for_each(Vec::shrink_to_fit);
        (Self { sorted, of_layers, blocks }, renumbered)
    }

    /// The rows of a layer from one time to another, in ascending order.
    pub(super) fn of_layer(&self, layer: ProductionId, times: Range<Time>) -> impl DoubleEndedIterator<Item = RowId> {
        let of_layer = self.of_layers.find(layer).map_or(&[][..], Vec::as_slice);
        let index = |time: Time| of_layer.partition_point(|&row| Time::before(row) < time);
        of_layer.get(index(times.start)..index(times.end)).unwrap_or_default().iter().copied()
    }

    /// The last row of a layer before a time that is among a cell's rows.
    pub(super) fn last_of_layer(&self, layer: ProductionId, mut time: Time, of_cell: &[RowId]) -> Option<RowId> {
        loop {
            let last = self.of_layer(layer, Time::START..time).next_back()?;
            match of_cell.binary_search(&last) {
                Ok(_) => return Some(last),
                // The cell lacks the further passes of a block. Its row before them may be of this layer.
                Err(index) => time = Time::after(*of_cell.get(..index)?.last()?),
            }
        }
    }

    pub(super) fn all(&self) -> &IndexVec<RowId, Row> {
        &self.sorted
    }

    pub(super) fn blocks_around(&self, layer: ProductionId) -> &[usize] {
        self.blocks.around(layer)
    }

    /// The order of two rows, of this run or of another run of the same layers, in a program.
    pub(super) fn order(&self, left: &Row, right: &Row) -> Ordering {
        self.blocks.program_order(left, right)
    }

    pub(super) fn find(&self, row: &Row) -> Option<RowId> {
        self.sorted.as_slice().binary_search_by(|other| self.order(other, row)).ok().map(RowId::new)
    }

    /// The row of the same layer in the last passes that a cell took, up to those of `row`, or `None` if it never ran
    /// that layer. `has` returns whether it ran a row.
    pub(super) fn last_pass(&self, row: &Row, has: impl Fn(RowId) -> bool) -> Option<RowId> {
        let Row { layer, pass } = row;
        let mut found = Row { layer: *layer, pass: vec![1; pass.len()] };
        for (depth, &high) in pass.iter().enumerate() {
            // There is at least one pass of a block.
            let (mut low, mut high) = (1, high);
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                *found.pass.get_mut(depth)? = middle;
                match self.find(&found).filter(|&row| has(row)) {
                    Some(_) => low = middle,
                    None => high = middle - 1,
                }
            }
            *found.pass.get_mut(depth)? = low;
        }
        self.find(&found).filter(|&row| has(row))
    }
}

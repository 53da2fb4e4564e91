//! The rows of a run, in program order.

use std::{cmp::Ordering, ops::Range};

use crate::{executable::Executable, qkvl::Block, weights::WeightsBlock};

/// A layer in certain passes of its repeat blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The layer, 1-based.
    pub layer: usize,
    /// The passes of the enclosing repeat blocks, outermost first, each 1-based.
    pub pass: Vec<usize>,
}

/// The repeat blocks around each layer, outermost first.
#[derive(Debug)]
pub(super) struct BlocksOfLayers(Vec<Vec<usize>>);

impl BlocksOfLayers {
    /// Those of the weights for weights, which may have no form in QKVL.
    pub(super) fn new(executable: &Executable) -> Self {
        let mut blocks = Self(Vec::new());
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

    fn around(&self, layer: usize) -> &[usize] {
        layer.checked_sub(1).and_then(|index| self.0.get(index)).map_or(&[], Vec::as_slice)
    }

    /// The order in which a cell runs two rows: a pass of a block that contains both layers ends before the next one starts.
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
    sorted: Vec<Row>,
    /// The indices of each layer's rows, in ascending order.
    of_layers: Vec<Vec<u32>>,
    blocks: BlocksOfLayers,
}

impl Rows {
    /// Sorts rows. Returns also the new index of each row by its old one.
    pub(super) fn new(rows: Vec<Row>, blocks: BlocksOfLayers) -> (Self, Vec<usize>) {
        let mut sorted: Vec<(usize, Row)> = rows.into_iter().enumerate().collect();
        sorted.sort_unstable_by(|(_, left), (_, right)| blocks.program_order(left, right));
        let (old, sorted): (Vec<usize>, Vec<Row>) = sorted.into_iter().unzip();
        let mut numbers = vec![0; old.len()];
        for (number, old) in old.into_iter().enumerate() {
            if let Some(slot) = numbers.get_mut(old) {
                *slot = number;
            }
        }
        let mut of_layers = vec![Vec::new(); blocks.0.len() + 1];
        for (index, row) in (0..).zip(&sorted) {
            if let Some(of_layer) = of_layers.get_mut(row.layer) {
                of_layer.push(index);
            }
        }
        of_layers.iter_mut().for_each(Vec::shrink_to_fit);
        (Self { sorted, of_layers, blocks }, numbers)
    }

    /// The rows of a layer from one index to another, in ascending order.
    pub(super) fn of_layer(&self, layer: usize, rows: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        let of_layer = self.of_layers.get(layer).map_or(&[][..], Vec::as_slice);
        let index = |end: usize| of_layer.partition_point(|&row| (row as usize) < end);
        let found = of_layer.get(index(rows.start)..index(rows.end)).unwrap_or_default();
        found.iter().map(|&row| row as usize)
    }

    /// The last row of a layer before a time that is among a cell's rows.
    pub(super) fn last_of_layer(&self, layer: usize, mut time: usize, of_cell: &[usize]) -> Option<usize> {
        loop {
            let last = self.of_layer(layer, 0..time).next_back()?;
            match of_cell.binary_search(&last) {
                Ok(_) => return Some(last),
                // The cell lacks the further passes of a block. Its row before them may be of this layer.
                Err(index) => time = of_cell.get(index.checked_sub(1)?)? + 1,
            }
        }
    }

    pub(super) fn as_slice(&self) -> &[Row] {
        &self.sorted
    }

    pub(super) fn blocks_around(&self, layer: usize) -> &[usize] {
        self.blocks.around(layer)
    }

    /// The order of two rows, of this run or of another run of the same layers, in a program.
    pub(super) fn order(&self, left: &Row, right: &Row) -> Ordering {
        self.blocks.program_order(left, right)
    }

    pub(super) fn find(&self, row: &Row) -> Option<usize> {
        self.sorted.binary_search_by(|other| self.order(other, row)).ok()
    }

    /// The row of the same layer in the last passes that a cell took, up to those of `row`, or `None` if it never ran that
    /// layer. `has` returns whether it ran a row.
    pub(super) fn last_pass(&self, row: &Row, has: impl Fn(usize) -> bool) -> Option<usize> {
        let Row { layer, pass } = row;
        let mut found = Row { layer: *layer, pass: vec![1; pass.len()] };
        for (depth, &high) in pass.iter().enumerate() {
            // The passes of a block are 1-based, and there is at least one.
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

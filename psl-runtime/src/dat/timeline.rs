//! The times of the layers in each forward step, as ticks: each run of a layer takes one.

/// The times of one block in a step, or in a pass of the block around it.
#[derive(Clone, Debug)]
pub(super) struct BlockTime {
    /// The ticks before its first layer.
    pub(super) start: u32,
    /// The ticks before the layer that follows.
    pub(super) end: u32,
    pub(super) passes: usize,
    /// If it has inner blocks, its passes.
    pub(super) inner: Vec<PassTime>,
}

/// The times of one pass of a block with inner blocks.
#[derive(Clone, Debug)]
pub(super) struct PassTime {
    pub(super) start: u32,
    pub(super) blocks: Vec<BlockTime>,
}

/// The place of a layer in the body around it: the program, or a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The number of blocks before it.
    pub(super) blocks: usize,
    /// The layer's number, from 1, among the layers after the last of these blocks.
    pub(super) offset: u32,
}

/// A block around a layer: its number among the blocks of the body around it, and the pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) block: usize,
    pub(super) pass: usize,
}

/// The times of all steps so far.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// The number of blocks of the program that are in no other.
    blocks: usize,
    /// Those of each step.
    pub(super) times: Vec<BlockTime>,
}

impl Timeline {
    pub(super) fn reset(&mut self, blocks: usize) {
        self.blocks = blocks;
        self.times.clear();
    }

    /// The tick at which the cells of a step pass a layer, in a pass of each block around it. Cells that take fewer
    /// passes rest in their last.
    #[inline]
    pub(super) fn tick(&self, step: usize, path: &[Pass], place: Place) -> u32 {
        if place.blocks == 0 && path.is_empty() {
            return place.offset;
        }
        let (start, body) = self.body(step, path);
        let before = place.blocks.checked_sub(1).and_then(|before| body.get(before));
        before.map_or(start, |block| block.end) + place.offset
    }

    /// The passes that the cells of a step take in a block.
    pub(super) fn passes(&self, step: usize, path: &[Pass], block: usize) -> usize {
        self.body(step, path).1.get(block).map_or(0, |block| block.passes)
    }

    #[inline]
    fn body(&self, step: usize, path: &[Pass]) -> (u32, &[BlockTime]) {
        let mut start = 0;
        let mut body = self.times.get(step * self.blocks..(step + 1) * self.blocks).unwrap_or_default();
        for Pass { block, pass } in path {
            let Some(time) = body.get(*block) else { break };
            let index = (*pass).min(time.passes).saturating_sub(1);
            if let Some(pass) = time.inner.get(index) {
                (start, body) = (pass.start, &pass.blocks);
            } else {
                let layers = (time.end - time.start) / time.passes.max(1) as u32;
                (start, body) = (time.start + layers * index as u32, &[]);
            }
        }
        (start, body)
    }
}

//! The blocks of the residual stream. Each is one-hot in every token, so that its sum and its sum of squares are
//! constant.

use super::{encodings::ValueEncoding, ends::End};

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The token at the start, which layers that do not fire attend to.
    Start,
    /// The separator before a copy of the prompt.
    Separator,
    /// A symbol of the prompt, except the last one.
    Prompt,
    /// The last symbol of the prompt.
    Last,
    /// A token of a generated cell, by the index of its register in [`Plan::cell`](super::plan::Plan::cell). The last
    /// token stands for the cell in all layers.
    Cell(usize),
}

/// A range of components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub start: usize,
    pub length: usize,
}

impl Block {
    pub fn last(self) -> usize {
        (self.start + self.length).saturating_sub(1)
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.length
    }
}

/// The components of the residual stream.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For each register its parts: the components of values, then null.
    pub registers: Vec<Vec<Block>>,
    pub kinds: Block,
    /// The copies of the prompt, the generated cells, and none.
    pub copies: Block,
    /// None, then the reasons to end a continuation early.
    pub ends: Block,
    /// The place of a token in the sequence, in the encoding of positions, if the prompt has one copy. With several,
    /// the position in a copy, if no register has it.
    pub places: Vec<Block>,
    /// Whether a place is the first, or its remainder by the length of a short cycle.
    pub cycle: Block,
    /// For each depth of repeat blocks, and each register: its parts before the last pass. The last component of a part
    /// is 1 if it holds nothing.
    pub saved: Vec<Vec<Vec<Block>>>,
    /// τ, -τ, √(1 - τ²) and its negative, for the place τ of a token in the sequence, from 0 to 1.
    pub time: usize,
    /// Always 0.
    pub pad: usize,
    /// The values that a layer writes before its neurons move them to their registers.
    pub write: Block,
    /// The number of components.
    pub width: usize,
    /// The number of blocks that hold one 1.
    pub blocks: usize,
}

impl Layout {
    /// The component of a kind.
    pub fn kind(&self, kind: Kind) -> usize {
        let index = match kind {
            Kind::Start => 0,
            Kind::Separator => 1,
            Kind::Prompt => 2,
            Kind::Last => 3,
            Kind::Cell(index) => 4 + index,
        };
        self.kinds.start + index
    }

    /// The component of the last token of a generated cell.
    pub fn master(&self) -> usize {
        self.kinds.last()
    }

    /// The components of a register's value.
    pub fn value(&self, register: usize, parts: &[usize]) -> Vec<usize> {
        let blocks = self.registers.get(register).into_iter().flatten();
        blocks.zip(parts).map(|(block, part)| block.start + part).collect()
    }

    /// The components of a register's null.
    pub fn null(&self, register: usize) -> Vec<usize> {
        self.registers.get(register).into_iter().flatten().map(|block| block.last()).collect()
    }

    /// The components of the kinds that stand for a cell of a prompt.
    pub fn symbols(&self) -> [usize; 2] {
        [Kind::Prompt, Kind::Last].map(|kind| self.kind(kind))
    }

    /// The components of the kinds that stand for a cell.
    pub fn cells(&self) -> [usize; 3] {
        let [symbol, last] = self.symbols();
        [symbol, last, self.master()]
    }

    /// The component of a copy.
    pub fn copy(&self, copy: usize) -> usize {
        self.copies.start + copy
    }

    /// The component of generated cells among the copies.
    pub fn generated(&self) -> usize {
        self.copies.last() - 1
    }

    /// The component of a token that has no reason to end.
    pub fn no_end(&self) -> usize {
        self.ends.start
    }

    /// The component of a reason to end.
    pub fn end(&self, end: End) -> usize {
        self.ends.start + 1 + end.index()
    }
}

/// The sizes that a layout needs.
pub struct Sizes<'a> {
    pub encodings: &'a [ValueEncoding],
    /// The lengths of the parts of the encoding of positions, if places have components.
    pub place: &'a [usize],
    /// The length of the cycle of places.
    pub cycle: usize,
    /// The number of tokens of a generated cell.
    pub cell: usize,
    /// The number of copies of the prompt beside the first.
    pub copies: usize,
    /// For each depth of repeat blocks, whether a register is saved.
    pub saved: &'a [Vec<bool>],
    /// The components that the widest layer writes.
    pub write: usize,
}

/// Places the blocks one after another.
pub fn layout(sizes: &Sizes<'_>) -> Layout {
    let mut width = 0;
    let mut block = |length: usize| {
        width += length;
        Block { start: width - length, length }
    };
    let mut parts = |encoding: &ValueEncoding| encoding.parts.iter().map(|part| block(part + 1)).collect();
    let registers: Vec<Vec<Block>> = sizes.encodings.iter().map(&mut parts).collect();
    let kinds = block(4 + sizes.cell);
    let copies = block(sizes.copies + 3);
    let ends = block(1 + End::ALL.len());
    let places: Vec<Block> = sizes.place.iter().map(|part| block(part + 1)).collect();
    let cycle = block(1 + sizes.cycle);
    let mut save = |(encoding, saved): (&ValueEncoding, &bool)| -> Vec<Block> {
        encoding.parts.iter().filter(|_| *saved).map(|part| block(part + 2)).collect()
    };
    let of_depth = |saved: &Vec<bool>| sizes.encodings.iter().zip(saved).map(&mut save).collect();
    let saved: Vec<Vec<Vec<Block>>> = sizes.saved.iter().map(of_depth).collect();
    let blocks = registers.iter().chain(saved.iter().flatten()).map(Vec::len).sum::<usize>() + 4 + places.len();
    let time = block(4).start;
    let pad = block(1).start;
    let write = block(sizes.write);
    Layout { registers, kinds, copies, ends, places, cycle, saved, time, pad, write, width, blocks }
}

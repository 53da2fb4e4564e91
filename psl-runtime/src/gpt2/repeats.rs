//! The neurons that tell whether the last pass of a repeat block changed a register.
//!
//! The registers that the block writes are kept before that pass, and what is the same after it is given up. What is
//! left differs.

use super::{
    block::BlockBuilder,
    ends::End,
    layout::{Block, Layout},
};

/// The parts of registers, with the parts that are kept of them.
fn parts<'l>(layout: &'l Layout, depth: usize, registers: &[usize]) -> impl Iterator<Item = (&'l Block, &'l Block)> {
    let saved = layout.saved.get(depth);
    registers.iter().flat_map(move |register| {
        let kept = saved.and_then(|saved| saved.get(*register)).into_iter().flatten();
        layout.registers.get(*register).into_iter().flatten().zip(kept)
    })
}

/// Keeps registers.
pub fn save(layout: &Layout, depth: usize, registers: &[usize]) -> BlockBuilder {
    let mut block = BlockBuilder::default();
    for (part, kept) in parts(layout, depth, registers) {
        for (value, slot) in part.range().zip(kept.range()) {
            block.step(&[(value, 4.0)], -1.5, &[(slot, 1.0), (kept.last(), -1.0)]);
        }
    }
    block
}

/// Gives up what is the same.
pub fn compare(layout: &Layout, depth: usize, registers: &[usize]) -> BlockBuilder {
    let mut block = BlockBuilder::default();
    for (part, kept) in parts(layout, depth, registers) {
        for (value, slot) in part.range().zip(kept.range()) {
            block.all_of(&[&[value], &[slot]], &[(slot, -1.0), (kept.last(), 1.0)]);
        }
    }
    block
}

/// Ends the continuation where something is left, and gives it up. Copies of the prompt before the last lack what later
/// layers read ahead, and their passes do not matter.
pub fn conclude(layout: &Layout, copies: usize, depth: usize, registers: &[usize]) -> BlockBuilder {
    let mut block = BlockBuilder::default();
    let left: Vec<usize> = parts(layout, depth, registers).flat_map(|(_, kept)| kept.start..kept.last()).collect();
    let much = 4.0 * (parts(layout, depth, registers).count() + 1) as f64;
    let cells = [(layout.copy(copies), much), (layout.generated(), much)];
    // An end that is known already stays.
    let none = [(layout.no_end(), much)];
    let input: Vec<_> = left.iter().map(|slot| (*slot, 4.0)).chain(cells).chain(none).collect();
    block.step(&input, -2.0 * much - 1.5, &[(layout.end(End::MorePasses), 1.0), (layout.no_end(), -1.0)]);
    for (_, kept) in parts(layout, depth, registers) {
        for slot in kept.start..kept.last() {
            block.step(&[(slot, 4.0)], -1.5, &[(slot, -1.0), (kept.last(), 1.0)]);
        }
    }
    block
}

//! The weights of a layer: its blocks, and the numbers of one block.

use psl_runtime::{
    Vocabulary,
    weights::{Attribute as Part, Kind},
};
use serde::Serialize;

use crate::{
    layer_tensors::{LayerTensors as Weights, TensorBlock},
    no_answer::NoAnswer,
    request::Attribute,
};

/// The weights of a layer, block by block.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayerTensors<'a> {
    layer: usize,
    /// d, the number of components of a register. Matrices are R d x R d.
    dimension: usize,
    /// The short names of all R registers, primed ones included.
    registers: &'a [String],
    blocks: Vec<WeightBlock<'a>>,
}

/// A block of a matrix, a part of its bias, or both.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
struct WeightBlock<'a> {
    attribute: Attribute,
    /// The short name of the register written.
    target: &'a str,
    /// The short name of the register read, or null for a bias alone.
    source: Option<&'a str>,
    kind: BlockKind,
    /// The effect, as a sentence.
    text: &'a str,
    /// The 0-based index of `target` in the registers.
    target_index: usize,
    source_index: Option<usize>,
    /// The number of nonzero entries of the matrix.
    weights: usize,
    /// The number of nonzero entries of the bias.
    biases: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum BlockKind {
    /// Copies a register.
    Identity,
    /// Moves a position to the left or right.
    Shift,
    /// One fixed value.
    Constant,
    /// All values except some.
    Complement,
    /// Several fixed values.
    Many,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockNumbers<'a> {
    /// The value of each component.
    values: Vec<&'a str>,
    /// Row, column and value of each nonzero entry.
    weights: &'a [(u32, u32, f32)],
    /// Column and value of each nonzero entry.
    bias: &'a [(u32, f32)],
}

pub fn tensors(layer: usize, weights: &Weights) -> LayerTensors<'_> {
    let blocks = weights.blocks.iter().map(|block| described(block, &weights.registers)).collect();
    LayerTensors { layer, dimension: weights.dimension, registers: &weights.registers, blocks }
}

fn described<'a>(block: &'a TensorBlock, registers: &'a [String]) -> WeightBlock<'a> {
    let name = |register: usize| registers.get(register).map_or("?", String::as_str);
    WeightBlock {
        attribute: match block.attribute {
            Part::Query => Attribute::Q,
            Part::Key => Attribute::K,
            Part::Value => Attribute::V,
        },
        target: name(block.target),
        source: block.source.map(name),
        kind: match block.kind {
            Kind::Identity => BlockKind::Identity,
            Kind::Shift(_) => BlockKind::Shift,
            Kind::OneHot => BlockKind::Constant,
            Kind::ManyHot => BlockKind::Many,
            Kind::OnesMinus(_) | Kind::OnesComplement | Kind::ManyHotComplement => BlockKind::Complement,
        },
        text: &block.text,
        target_index: block.target,
        source_index: block.source,
        weights: block.weights.len(),
        biases: block.bias.len(),
    }
}

/// The numbers of a block, by its index among the blocks of its attribute.
///
/// # Errors
///
/// Fails if the block is unknown.
pub fn block<'a>(
    weights: &'a Weights,
    vocabulary: &'a Vocabulary,
    attribute: Attribute,
    index: usize,
) -> Result<BlockNumbers<'a>, NoAnswer> {
    let part = match attribute {
        Attribute::Q => Part::Query,
        Attribute::K => Part::Key,
        Attribute::V => Part::Value,
    };
    let block = weights.blocks.iter().filter(|block| block.attribute == part).nth(index);
    let block = block.ok_or(NoAnswer::UnknownBlock(index))?;
    Ok(BlockNumbers { values: vocabulary.iter().collect(), weights: &block.weights, bias: &block.bias })
}

//! The weights of a layer: its blocks, and the numbers of one block.

use psl_runtime::{
    Vocabulary,
    weights::{Attribute as Part, Kind},
};
use serde::Serialize;

use crate::{
    layer_tensors::{LayerTensors as Weights, TensorBlock},
    request::Attribute,
};

/// The blocks of a layer.
#[derive(Serialize)]
pub struct LayerTensors<'a> {
    layer: usize,
    /// d: matrices are R d x R d for R registers.
    dimension: usize,
    registers: &'a [String],
    blocks: Vec<BlockAnswer<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockAnswer<'a> {
    attribute: &'static str,
    target: &'a str,
    /// Null for a bias alone.
    source: Option<&'a str>,
    kind: &'static str,
    text: &'a str,
    target_index: usize,
    source_index: Option<usize>,
    /// The numbers of nonzero entries.
    weights: usize,
    biases: usize,
}

/// The numbers of a block.
#[derive(Serialize)]
pub struct BlockNumbers<'a> {
    /// The value of each component.
    values: Vec<&'a str>,
    weights: &'a [(u32, u32, f32)],
    bias: &'a [(u32, f32)],
}

/// Describes the blocks of a layer.
pub fn tensors(layer: usize, weights: &Weights) -> LayerTensors<'_> {
    let blocks = weights.blocks.iter().map(|block| described(block, &weights.registers)).collect();
    LayerTensors { layer, dimension: weights.dimension, registers: &weights.registers, blocks }
}

fn described<'a>(block: &'a TensorBlock, registers: &'a [String]) -> BlockAnswer<'a> {
    let name = |register: usize| registers.get(register).map_or("?", String::as_str);
    BlockAnswer {
        attribute: match block.attribute {
            Part::Query => "q",
            Part::Key => "k",
            Part::Value => "v",
        },
        target: name(block.target),
        source: block.source.map(name),
        kind: match block.kind {
            Kind::Identity => "identity",
            Kind::Shift(_) => "shift",
            Kind::OneHot => "constant",
            Kind::ManyHot => "many",
            Kind::OnesMinus(_) | Kind::OnesComplement | Kind::ManyHotComplement => "complement",
        },
        text: &block.text,
        target_index: block.target,
        source_index: block.source,
        weights: block.weights.len(),
        biases: block.bias.len(),
    }
}

/// The numbers of one of the blocks of an attribute, by its index among them.
///
/// # Errors
///
/// An unknown block.
pub fn block<'a>(
    weights: &'a Weights,
    vocabulary: &'a Vocabulary,
    attribute: Attribute,
    index: usize,
) -> Result<BlockNumbers<'a>, String> {
    let part = match attribute {
        Attribute::Q => Part::Query,
        Attribute::K => Part::Key,
        Attribute::V => Part::Value,
    };
    let block = weights.blocks.iter().filter(|block| block.attribute == part).nth(index);
    let block = block.ok_or_else(|| format!("unknown block {index}"))?;
    Ok(BlockNumbers { values: vocabulary.iter().collect(), weights: &block.weights, bias: &block.bias })
}

//! The weight matrices and biases of a program.
//!
//! The residual stream has one block of d components per register, where d is the size of the vocabulary. A register's
//! value is the one-hot vector of its index, and null is zero (66). Vectors are rows: k = i W + b.

use std::sync::Arc;

use psl_syntax::program::CausalAttn;

use super::{bias::Bias, matrix::Matrix};
use crate::heads::{HeadPlace, places};

/// The weights of a program for one vocabulary.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The number of components of one register's block, d.
    pub dimension: usize,
    /// The short names of the registers, block by block: first those that hold state, then the primed ones that queries
    /// and keys use. With R registers, vectors have R d components.
    pub registers: Vec<String>,
    /// The number of registers that hold state.
    pub state_registers: usize,
    /// The register with the role `position`.
    pub position: Option<usize>,
    /// The register with the role `output`.
    pub output: Option<usize>,
    /// The component of each position, from 0 to M.
    pub positions: Vec<u32>,
    /// The layers and repeat blocks in program order.
    pub blocks: Vec<WeightsBlock>,
}

/// An entry of [`Weights::blocks`].
#[derive(Clone, Debug, PartialEq)]
pub enum WeightsBlock {
    /// A head of an attention layer.
    Layer(HeadWeights),
    /// A repeat block.
    Repeat(Repeat),
}

/// The weights of one head of an attention layer.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadWeights {
    /// The production's label.
    pub label: Option<String>,
    /// `W_q`, `W_k` and their biases.
    pub matching: Matching,
    /// `W_v` and its bias.
    pub value: Affine,
    /// The cells that are masked.
    pub causal_attn: Option<CausalAttn>,
    /// Whether `DATmax` takes the rightmost match instead of the leftmost.
    pub right_match: bool,
    /// Whether the head shares the layer of the entry before it. False for the first entry of a list, and after a
    /// repeat block.
    pub shares_layer: bool,
}

/// A repeat block.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The block's label.
    pub label: Option<String>,
    /// The conditions that end the block, or `None` if it ends with a pass that changes nothing.
    pub until: Option<Matching>,
    /// The blocks inside.
    pub blocks: Vec<WeightsBlock>,
}

/// Query and key. Both write the same registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Reads the cell being updated.
    pub query: Affine,
    /// Reads the cells that it may attend to.
    pub key: Affine,
    /// The number of conditions, m: a key matches when its dot product with the query is m.
    pub count: usize,
}

/// An affine map from the residual stream to the registers that an attribute writes. All other components are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affine {
    /// The registers written. The result has d components for each, in this order.
    pub targets: Vec<usize>,
    /// The nonzero blocks of the weight matrix.
    pub weights: Vec<WeightBlock>,
    /// The bias of each register written.
    pub bias: Vec<Bias>,
}

/// The d x d block of a weight matrix that maps one register to another.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightBlock {
    /// The register read.
    pub source: usize,
    /// The register written, by its index in [`Affine::targets`].
    pub target: usize,
    /// The block. It is shared, because few distinct blocks exist.
    pub matrix: Arc<Matrix>,
}

impl WeightsBlock {
    /// The layer, or `None` for a repeat block.
    pub const fn layer(&self) -> Option<&HeadWeights> {
        match self {
            Self::Layer(layer) => Some(layer),
            Self::Repeat(_) => None,
        }
    }
}

/// Divides a list into repeat blocks, each alone, and layers, each with all of its heads.
pub(crate) fn layers(blocks: &[WeightsBlock]) -> impl Iterator<Item = &[WeightsBlock]> {
    blocks.chunk_by(|block, next| block.layer().is_some() && next.layer().is_some_and(|next| next.shares_layer))
}

impl Weights {
    /// The heads of all layers in program order.
    pub fn layers(&self) -> Vec<&HeadWeights> {
        fn visit<'w>(blocks: &'w [WeightsBlock], layers: &mut Vec<&'w HeadWeights>) {
            for block in blocks {
                match block {
                    WeightsBlock::Layer(layer) => layers.push(layer),
                    WeightsBlock::Repeat(repeat) => visit(&repeat.blocks, layers),
                }
            }
        }
        let mut layers = Vec::new();
        visit(&self.blocks, &mut layers);
        layers
    }

    /// The places of [`Weights::layers`], or an empty list if every layer has one head.
    pub fn heads(&self) -> Vec<HeadPlace> {
        places(self.layers().into_iter().map(|layer| layer.shares_layer))
    }

    /// The labels of [`Weights::layers`].
    pub fn labels(&self) -> Vec<Option<String>> {
        self.layers().into_iter().map(|layer| layer.label.clone()).collect()
    }
}

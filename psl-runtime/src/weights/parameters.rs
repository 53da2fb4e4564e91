//! The weight matrices and biases of a program.
//!
//! The residual stream is one block of d components a register, d being the size of the vocabulary; a register's value is
//! the one-hot vector of its index, null is zero (66). Vectors are rows: k = i W + b.

use std::sync::Arc;

use psl_syntax::program::CausalAttn;

use super::matrix::Matrix;

/// The weights of a program for one vocabulary.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The components of one register's block, d.
    pub dimension: usize,
    /// The short names of the registers, block by block: first those that hold state, then the primed ones that queries and
    /// keys use. R of them make vectors of R d components.
    pub registers: Vec<String>,
    /// How many of the registers hold state.
    pub state_registers: usize,
    /// The register that says which cell it is.
    pub position: Option<usize>,
    /// The register that is read out.
    pub output: Option<usize>,
    /// The component that stands for each position, from 0 to M.
    pub positions: Vec<u32>,
    /// The layers and repeat blocks in program order.
    pub blocks: Vec<Block>,
}

/// An entry of [`Weights::blocks`].
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A layer.
    Layer(Layer),
    /// Layers that run again and again.
    Repeat(Repeat),
}

/// One attention layer with its single head.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The production's label.
    pub label: Option<String>,
    /// `W_q`, `W_k` and their biases.
    pub matching: Matching,
    /// `W_v` and its bias.
    pub value: Affine,
    /// Which cells are masked.
    pub causal_attn: Option<CausalAttn>,
    /// Whether `DATmax` takes the rightmost match instead of the leftmost.
    pub right_match: bool,
}

/// A repeat block.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The block's label.
    pub label: Option<String>,
    /// The pair that ends the block; without it a pass does that changes nothing.
    pub until: Option<Matching>,
    /// The blocks inside.
    pub blocks: Vec<Block>,
}

/// Query and key. Both write the same registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// From the input of the cell that is updated.
    pub query: Affine,
    /// From the input of the cell that may be attended to.
    pub key: Affine,
    /// The number of conditions, m: a key matches when its dot product with the query is m.
    pub count: usize,
}

/// An affine map from the residual stream to the registers that an attribute writes; all other components are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affine {
    /// The registers written; the result has d components for each, in this order.
    pub targets: Vec<usize>,
    /// The blocks of the weight matrix that are not zero.
    pub weights: Vec<WeightBlock>,
    /// The bias, one component for each of the result.
    pub bias: Vec<f32>,
}

/// The d x d block of a weight matrix that maps one register to another.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightBlock {
    /// The register read.
    pub source: usize,
    /// The register written, by its index in [`Affine::targets`].
    pub target: usize,
    /// The block. Shared, because there are few different ones.
    pub matrix: Arc<Matrix>,
}

impl Weights {
    /// The label of each layer: entry i is that of layer i + 1.
    pub fn labels(&self) -> Vec<Option<String>> {
        fn visit(blocks: &[Block], labels: &mut Vec<Option<String>>) {
            for block in blocks {
                match block {
                    Block::Layer(layer) => labels.push(layer.label.clone()),
                    Block::Repeat(repeat) => visit(&repeat.blocks, labels),
                }
            }
        }
        let mut labels = Vec::new();
        visit(&self.blocks, &mut labels);
        labels
    }
}

//! The instructions of table (72). Registers are indices, and values are components.

use std::sync::Arc;

use psl_syntax::program::{CausalAttn, Function};

/// A layer or a repeat block.
#[derive(Clone, Debug, PartialEq)]
pub enum InstructionBlock {
    /// The instructions of one head, which programs with the same production share.
    Layer(Arc<Instructions>),
    /// A repeat block.
    Repeat {
        /// The block's label.
        label: Option<String>,
        /// The conditions that end the block, or `None` if it ends with a pass that changes nothing.
        until: Option<Vec<Slot>>,
        /// The blocks inside.
        blocks: Vec<InstructionBlock>,
    },
}

impl InstructionBlock {
    /// The instructions of a head, or `None` for a repeat block.
    pub fn layer(&self) -> Option<&Instructions> {
        match self {
            Self::Layer(layer) => Some(layer),
            Self::Repeat { .. } => None,
        }
    }
}

/// Divides a list into repeat blocks, each alone, and layers, each with all of its heads.
pub(crate) fn layers(blocks: &[InstructionBlock]) -> impl Iterator<Item = &[InstructionBlock]> {
    blocks.chunk_by(|block, next| block.layer().is_some() && next.layer().is_some_and(|next| next.shares_layer))
}

/// The instructions of one head of a layer. Registers are indices in [`Weights::registers`](super::Weights::registers),
/// values are components.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// The production's label.
    pub label: Option<String>,
    /// The conditions. All must match.
    pub slots: Vec<Slot>,
    /// The registers set. Each form is [`Form::Nothing`], a register or one constant.
    pub value: Vec<(usize, Form)>,
    /// The cells that are masked.
    pub causal_attn: Option<CausalAttn>,
    /// Whether the rightmost match wins instead of the leftmost.
    pub right_match: bool,
    /// Whether the head shares the layer of the entry before it.
    pub shares_layer: bool,
}

/// One register of query and key. At least one of the two is one-hot or zero, so that the register adds one or zero to
/// the dot product.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The register written.
    pub register: usize,
    /// The form that the query writes.
    pub query: Form,
    /// The form that the key writes.
    pub key: Form,
}

/// The form that an affine map writes to one register.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Zero.
    Nothing,
    /// (72a), (72b): a register's value.
    Register(usize, Option<Function>),
    /// (72e): the ones' complement of a register's value.
    Not(usize, Option<Function>),
    /// (72c), or many-hot: these values, ascending.
    OneOf(Vec<u32>),
    /// (72d): all values except these, ascending.
    NoneOf(Vec<u32>),
}

impl Form {
    /// Whether the form is one-hot or zero in every cell.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Nothing | Self::Register(..) => true,
            Self::OneOf(values) => values.len() == 1,
            Self::Not(..) | Self::NoneOf(_) => false,
        }
    }
}

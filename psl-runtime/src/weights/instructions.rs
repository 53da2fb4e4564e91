//! The instructions of table (72), on registers and components by their numbers.

use psl_syntax::program::{CausalAttn, Function};

/// A layer or a repeat block.
#[derive(Clone, Debug, PartialEq)]
pub enum InstructionBlock {
    /// A layer.
    Layer(Instructions),
    /// Layers that run again and again.
    Repeat {
        /// The block's label.
        label: Option<String>,
        /// The pair that ends the block; without it a pass does that changes nothing.
        until: Option<Vec<Slot>>,
        /// What is inside.
        blocks: Vec<InstructionBlock>,
    },
}

/// What one layer does. Registers are those of [`Weights::registers`](super::Weights::registers), values are components.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// The production's label.
    pub label: Option<String>,
    /// The conditions: all slots must match.
    pub slots: Vec<Slot>,
    /// The registers set, each to [`Form::Nothing`], a register or one constant.
    pub value: Vec<(usize, Form)>,
    /// Which cells are masked.
    pub causal_attn: Option<CausalAttn>,
    /// Whether the rightmost match is taken instead of the leftmost.
    pub right_match: bool,
}

/// One register of query and key. At least one of the two is no more than one-hot, so that it adds one to the dot product
/// or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The register written.
    pub register: usize,
    /// What the query writes to it.
    pub query: Form,
    /// What the key writes to it.
    pub key: Form,
}

/// What an affine map writes to one register.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Zero.
    Nothing,
    /// (72a), (72b): a register's value.
    Register(usize, Option<Function>),
    /// (72e): the ones'-complement of a register's value.
    Not(usize, Option<Function>),
    /// (72c), or many-hot: these values, ascending.
    OneOf(Vec<u32>),
    /// (72d): all besides these, ascending.
    NoneOf(Vec<u32>),
}

impl Form {
    /// Whether it is one-hot or zero in every cell.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Nothing | Self::Register(..) => true,
            Self::OneOf(values) => values.len() == 1,
            Self::Not(..) | Self::NoneOf(_) => false,
        }
    }
}

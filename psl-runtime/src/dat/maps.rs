//! The weights of a program as maps from values to values, which the fast DAT runs.

use std::ops::Range;

use psl_syntax::program::CausalAttn;

use super::{
    conditions::Conditions,
    reading::{Assigned, Reading},
};
use crate::{
    run_error::BlockName,
    weights::{Form, InstructionBlock, Instructions, RecognizeError, Weights, recognize},
};

/// The weights of a program as maps from values to values.
#[derive(Clone, Debug)]
pub struct Maps {
    pub(super) nodes: Vec<Node>,
    /// The number of registers that hold state.
    pub(super) width: usize,
    pub(super) position: Option<usize>,
    pub(super) output: Option<usize>,
    /// Whether some layer sets the position. Then a cell's position may differ from its index.
    pub(super) sets_position: bool,
}

/// A layer or a repeat block.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Layer(Layer),
    /// A block of layers.
    Flat(Repeat<Layer>),
    /// A block with inner blocks.
    Nesting(Repeat<Node>),
}

#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) number: usize,
    pub(super) conditions: Conditions,
    /// Registers and their new values.
    pub(super) value: Vec<(usize, Assigned)>,
    pub(super) causal_attn: Option<CausalAttn>,
    pub(super) right_match: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Repeat<B> {
    number: usize,
    label: Option<String>,
    /// `None` for `NO_CHANGE`.
    pub(super) until: Option<Conditions>,
    pub(super) body: Vec<B>,
    /// The numbers of its layers, with those of the blocks inside it.
    pub(super) layers: Range<usize>,
}

impl<B> Repeat<B> {
    pub(super) fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.label.clone() }
    }
}

impl Maps {
    /// Builds the maps from the weights. `unnamed` are the components of values that the program cannot name. [`recognize`]
    /// needs them for maps that run on other vocabularies.
    ///
    /// # Errors
    ///
    /// Weights that no program has.
    pub fn new(weights: &Weights, unnamed: &[u32]) -> Result<Self, RecognizeError> {
        let mut loader = Loader { position: weights.position, layers: 0, repeats: 0, sets_position: false };
        let nodes = loader.nodes(&recognize(weights, unnamed)?);
        Ok(Self {
            nodes,
            width: weights.state_registers,
            position: weights.position,
            output: weights.output,
            sets_position: loader.sets_position,
        })
    }
}

/// Counts layers and blocks.
struct Loader {
    position: Option<usize>,
    layers: usize,
    repeats: usize,
    sets_position: bool,
}

impl Loader {
    fn nodes(&mut self, blocks: &[InstructionBlock]) -> Vec<Node> {
        blocks.iter().map(|block| self.node(block)).collect()
    }

    fn node(&mut self, block: &InstructionBlock) -> Node {
        match block {
            InstructionBlock::Layer(layer) => Node::Layer(self.layer(layer)),
            InstructionBlock::Repeat { label, until, blocks } => {
                self.repeats += 1;
                let first = self.layers + 1;
                let (number, label) = (self.repeats, label.clone());
                let until = until.as_ref().map(|slots| Conditions::new(slots, self.position));
                if let Some(layers) = blocks.iter().map(as_layer).collect::<Option<Vec<_>>>() {
                    let body = layers.into_iter().map(|layer| self.layer(layer)).collect();
                    Node::Flat(Repeat { number, label, until, body, layers: first..self.layers + 1 })
                } else {
                    let body = self.nodes(blocks);
                    Node::Nesting(Repeat { number, label, until, body, layers: first..self.layers + 1 })
                }
            }
        }
    }

    fn layer(&mut self, Instructions { slots, value, causal_attn, right_match, .. }: &Instructions) -> Layer {
        self.layers += 1;
        self.sets_position |= value.iter().any(|(register, _)| Some(*register) == self.position);
        Layer {
            number: self.layers,
            conditions: Conditions::new(slots, self.position),
            value: value.iter().filter_map(|(register, form)| Some((*register, assigned(form)?))).collect(),
            causal_attn: *causal_attn,
            right_match: *right_match,
        }
    }
}

fn as_layer(block: &InstructionBlock) -> Option<&Instructions> {
    match block {
        InstructionBlock::Layer(layer) => Some(layer),
        InstructionBlock::Repeat { .. } => None,
    }
}

/// `None` for null, which sets nothing.
fn assigned(form: &Form) -> Option<Assigned> {
    match form {
        Form::Register(register, function) => Some(Assigned::Register(Reading::new(*register, *function))),
        Form::OneOf(values) => values.first().copied().map(Assigned::Constant),
        Form::Nothing | Form::Not(..) | Form::NoneOf(_) => None,
    }
}

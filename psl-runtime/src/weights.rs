//! From QKVL to DATL: the symbolic instructions as weight matrices and biases (72).
//!
//! The residual stream is one block of d components a register, d being the size of the vocabulary; a register's value is
//! the one-hot vector of its index, null is zero (66). Vectors are rows: k = i W + b.

mod describe;
pub mod file;
mod matrix;
pub mod program;
mod recognize;
mod table;

use std::sync::Arc;

use psl_syntax::program::CausalAttn;
use rustc_hash::FxHashMap;

use crate::input::Registers;
use crate::qkvl::{self, Program, Slots, Source, Until};
use crate::vocabulary::Vocabulary;
pub use describe::{Attribute, BlockInfo, describe};
pub use matrix::Matrix;
pub(crate) use matrix::nonzero;
pub use recognize::{Cause, Form, Instructions, NotPsl, Slot, Step, recognize};
pub use table::Kind;
use table::Table;

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

/// Makes the weights of a program. A name that its `register_map` does not list contributes nothing.
pub fn weights(program: &Program, vocabulary: &Vocabulary) -> Weights {
    let Registers { short, roles, .. } = Registers::from(program);
    let state_registers = short.len();
    let mut builder = Builder { table: Table::new(vocabulary), registers: FxHashMap::default(), names: Vec::new() };
    for name in short {
        builder.register(&name);
    }
    let blocks = builder.blocks(&program.weights);
    Weights {
        dimension: vocabulary.len(),
        registers: builder.names,
        state_registers,
        position: roles.position.map(|register| register.0 as usize),
        output: roles.output.map(|register| register.0 as usize),
        positions: vocabulary.positions().iter().map(|value| value.0).collect(),
        blocks,
    }
}

struct Builder<'v> {
    table: Table<'v>,
    registers: FxHashMap<String, usize>,
    names: Vec<String>,
}

impl Builder<'_> {
    fn register(&mut self, name: &str) -> usize {
        if let Some(&register) = self.registers.get(name) {
            return register;
        }
        let register = self.names.len();
        self.names.push(name.to_owned());
        self.registers.insert(name.to_owned(), register);
        register
    }

    fn blocks(&mut self, blocks: &[qkvl::Block]) -> Vec<Block> {
        let block = |block: &qkvl::Block| match block {
            qkvl::Block::Layer(layer) => Block::Layer(self.layer(layer)),
            qkvl::Block::Repeat(repeat) => Block::Repeat(Repeat {
                label: repeat.layer_comment.clone(),
                until: match &repeat.until {
                    Until::NoChange {} => None,
                    Until::Conditions { q, k } => Some(self.matching(q, k)),
                },
                blocks: self.blocks(&repeat.weights),
            }),
        };
        blocks.iter().map(block).collect()
    }

    fn layer(&mut self, layer: &qkvl::Layer) -> Layer {
        let targets: Vec<usize> = layer.weights.v.keys().map(|name| self.register(name)).collect();
        let value = layer.weights.v.values().map(|term| Some(Source::Is(term.clone())));
        Layer {
            label: layer.layer_comment.clone(),
            matching: self.matching(&layer.weights.q, &layer.weights.k),
            value: self.affine(targets, value),
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
        }
    }

    fn matching(&mut self, q: &Slots, k: &Slots) -> Matching {
        let slots: Vec<&String> = q.keys().chain(k.keys().filter(|slot| !q.contains_key(*slot))).collect();
        let targets: Vec<usize> = slots.iter().map(|slot| self.register(slot)).collect();
        Matching {
            query: self.affine(targets.clone(), slots.iter().map(|slot| q.get(*slot).cloned())),
            key: self.affine(targets, slots.iter().map(|slot| k.get(*slot).cloned())),
            count: slots.len(),
        }
    }

    fn affine(&mut self, targets: Vec<usize>, sources: impl Iterator<Item = Option<Source>>) -> Affine {
        let mut affine = Affine { targets, ..Affine::default() };
        for (target, source) in sources.enumerate() {
            let contribution = source.map(|source| self.table.contribution(&source)).unwrap_or_default();
            if let Some((name, matrix)) = contribution.weights
                && let Some(&source) = self.registers.get(&name)
            {
                affine.weights.push(WeightBlock { source, target, matrix });
            }
            match contribution.bias {
                Some(bias) => affine.bias.extend(bias),
                None => affine.bias.resize(affine.bias.len() + self.table.dimension(), 0.0),
            }
        }
        affine
    }
}

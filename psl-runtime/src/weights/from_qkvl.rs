//! Converts QKVL to DATL: symbolic instructions to weight matrices and biases (72).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    parameters::{Affine, HeadWeights, Matching, Repeat, WeightBlock, Weights, WeightsBlock},
    table::{Contribution, Table},
};
use crate::{
    input::Registers,
    qkvl::{self, Slots, Until},
    vocabulary::Vocabulary,
};

/// Returns the weights of a program. Names that are not in its `register_map` contribute nothing.
pub fn weights(program: &qkvl::Program, vocabulary: &Vocabulary) -> Weights {
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

    fn blocks(&mut self, blocks: &[qkvl::Block]) -> Vec<WeightsBlock> {
        let block = |block: &qkvl::Block| match block {
            qkvl::Block::Layer(layer) => WeightsBlock::Layer(self.layer(layer)),
            qkvl::Block::Repeat(repeat) => WeightsBlock::Repeat(Repeat {
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

    fn layer(&mut self, layer: &qkvl::Layer) -> HeadWeights {
        let targets: Vec<usize> = layer.weights.v.keys().map(|name| self.register(name)).collect();
        let mut value = affine(targets);
        for (target, term) in layer.weights.v.values().enumerate() {
            self.add(&mut value, target, self.table.term(term));
        }
        HeadWeights {
            label: layer.layer_comment.clone(),
            matching: self.matching(&layer.weights.q, &layer.weights.k),
            value,
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
            shares_layer: layer.shares_layer,
        }
    }

    fn matching(&mut self, q: &Slots, k: &Slots) -> Matching {
        let slots: Vec<&String> = q.keys().chain(k.keys().filter(|slot| !q.contains_key(*slot))).collect();
        let targets: Vec<usize> = slots.iter().map(|slot| self.register(slot)).collect();
        let affine = |map: &Slots, targets| {
            let mut affine = self::affine(targets);
            for (target, slot) in slots.iter().enumerate() {
                let contribution = map.get(*slot).map(|source| self.table.contribution(source));
                self.add(&mut affine, target, contribution.unwrap_or_else(|| (self.table.bias(&[]), None)));
            }
            affine
        };
        Matching { query: affine(q, targets.clone()), key: affine(k, targets), count: slots.len() }
    }

    /// Adds the contribution of an instruction.
    fn add(&self, affine: &mut Affine, target: usize, (bias, read): Contribution<'_, '_>) {
        affine.bias.push(bias);
        if let Some((name, matrix)) = read
            && let Some(&source) = self.registers.get(name)
        {
            affine.weights.push(WeightBlock { source, target, matrix: Arc::clone(matrix) });
        }
    }
}

/// A map that writes to these registers, without instructions yet.
fn affine(targets: Vec<usize>) -> Affine {
    let size = targets.len();
    Affine { targets, weights: Vec::with_capacity(size), bias: Vec::with_capacity(size) }
}

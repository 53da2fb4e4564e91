//! Converts QKVL to DATL: symbolic instructions to weight matrices and biases (72).

use rustc_hash::FxHashMap;

use super::{
    parameters::{Affine, Layer, Matching, Repeat, WeightBlock, Weights, WeightsBlock},
    table::Table,
};
use crate::{
    input::Registers,
    qkvl::{self, Program, Slots, Source, Until},
    vocabulary::Vocabulary,
};

/// Returns the weights of a program. Names that are not in its `register_map` contribute nothing.
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

//! The layers as tables over the values that its registers can hold: read from the weights alone.

use psl_syntax::program::CausalAttn;

use crate::{
    vocabulary::ValueId,
    weights::{Affine, Bias, HeadWeights, Weights, WeightsBlock},
};

/// The values that each register can hold: positions in ascending order, then others.
pub type Domains = Vec<Vec<ValueId>>;

/// A layer as tables.
#[derive(Clone, Debug)]
pub struct LayerTable {
    /// The layer, 1-based.
    pub number: usize,
    pub conditions: Vec<ConditionTable>,
    pub writes: Vec<WriteTable>,
    pub causal: Causal,
    pub rightmost: bool,
}

/// The cells that a layer attends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causal {
    /// No cell on the right.
    True,
    /// No cell on the left.
    Reverse,
    /// All cells.
    False,
}

/// A condition: whether it holds for a value of the query's register and a value of the key's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionTable {
    /// The register of N, or `None` if the condition does not read N.
    pub query: Option<usize>,
    /// The register of n, or `None` if it does not read n.
    pub key: Option<usize>,
    /// By the index of the query's value, then of the key's. A side without a register has one entry.
    pub holds: Vec<Vec<bool>>,
}

/// A write of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteTable {
    pub target: usize,
    /// The register of n, or `None` for a constant.
    pub source: Option<usize>,
    /// The new value by the index of the source's value, or `None` if the target keeps its value. A constant has one
    /// entry.
    pub to: Vec<Option<ValueId>>,
}

/// An entry of a program.
#[derive(Clone, Debug)]
pub enum TableBlock {
    Layer(LayerTable),
    /// A repeat block, and whether it ends by a pass that changes nothing.
    Repeat {
        blocks: Vec<TableBlock>,
        until_no_change: bool,
    },
}

/// The values that each register can hold, if it starts with those of `start`: the smallest sets that are closed under
/// all writes.
pub fn domains(weights: &Weights, start: &Domains) -> Domains {
    let mut domains: Vec<Vec<bool>> = start.iter().map(|values| flags(values, weights.dimension)).collect();
    let layers = weights.layers();
    loop {
        let before = domains.clone();
        for map in layers.iter().map(|layer| &layer.value) {
            for (slot, &target) in map.targets.iter().enumerate() {
                let mut reached = vec![false; weights.dimension];
                for (value, &bias) in bias(map, slot).iter().enumerate() {
                    mark(&mut reached, value, bias != 0.0);
                }
                for block in map.weights.iter().filter(|block| block.target == slot) {
                    for (row, column, _) in block.matrix.entries() {
                        let held = domains.get(block.source).and_then(|held| held.get(row as usize)) == Some(&true);
                        mark(&mut reached, column as usize, held);
                    }
                }
                if let Some(held) = domains.get_mut(target) {
                    held.iter_mut().zip(reached).for_each(|(held, reached)| *held |= reached);
                }
            }
        }
        if domains == before {
            let number =
                |id: &u32| (weights.positions.iter().position(|position| position == id).unwrap_or(usize::MAX), *id);
            let values = |held: &Vec<bool>| {
                let mut values: Vec<u32> = (0..).zip(held).filter(|(_, held)| **held).map(|(id, _)| id).collect();
                values.sort_by_key(number);
                values.into_iter().map(ValueId).collect()
            };
            return domains.iter().map(values).collect();
        }
    }
}

fn flags(values: &[ValueId], dimension: usize) -> Vec<bool> {
    let mut flags = vec![false; dimension];
    for value in values {
        mark(&mut flags, value.0 as usize, true);
    }
    flags
}

fn mark(flags: &mut [bool], index: usize, to: bool) {
    if let Some(flag) = flags.get_mut(index) {
        *flag |= to;
    }
}

/// The part of a bias for one of the registers written.
fn bias(map: &Affine, slot: usize) -> Vec<f32> {
    map.bias.get(slot).map(Bias::dense).unwrap_or_default()
}

/// The blocks of weights as tables.
pub fn tables(weights: &Weights, domains: &Domains) -> Vec<TableBlock> {
    blocks(&weights.blocks, domains, &mut 0)
}

fn blocks(blocks: &[WeightsBlock], domains: &Domains, count: &mut usize) -> Vec<TableBlock> {
    let table = |block: &WeightsBlock| match block {
        WeightsBlock::Layer(layer) => {
            *count += 1;
            TableBlock::Layer(layer_table(layer, *count, domains))
        }
        WeightsBlock::Repeat(repeat) => TableBlock::Repeat {
            blocks: self::blocks(&repeat.blocks, domains, count),
            until_no_change: repeat.until.is_none(),
        },
    };
    blocks.iter().map(table).collect()
}

fn layer_table(layer: &HeadWeights, number: usize, domains: &Domains) -> LayerTable {
    let (query, key) = (&layer.matching.query, &layer.matching.key);
    let condition = |(slot, target): (usize, &usize)| {
        let of_key = key.targets.iter().position(|other| other == target)?;
        let (query, queries) = vectors(query, slot, domains);
        let (key, keys) = vectors(key, of_key, domains);
        // The parts of a vector are zeros and ones, so that a condition that holds adds one.
        let holds =
            |query: &Vec<f32>, keys: &[Vec<(usize, f32)>]| keys.iter().map(|key| dot(query, key) > 0.5).collect();
        let rows = if few(&keys) <= few(&queries) {
            let keys: Vec<_> = keys.iter().map(|key| entries(key)).collect();
            queries.iter().map(|query| holds(query, &keys)).collect()
        } else {
            let queries: Vec<_> = queries.iter().map(|query| entries(query)).collect();
            let columns: Vec<Vec<bool>> = keys.iter().map(|key| holds(key, &queries)).collect();
            let row = |index: usize| columns.iter().map(|column| column.get(index) == Some(&true)).collect();
            (0..queries.len()).map(row).collect()
        };
        Some(ConditionTable { query, key, holds: rows })
    };
    let write = |(slot, &target): (usize, &usize)| {
        let (source, values) = vectors(&layer.value, slot, domains);
        let one = |vector: &Vec<f32>| vector.iter().position(|part| *part > 0.5).map(|value| ValueId(value as u32));
        WriteTable { target, source, to: values.iter().map(one).collect() }
    };
    LayerTable {
        number,
        conditions: query.targets.iter().enumerate().filter_map(condition).collect(),
        writes: layer.value.targets.iter().enumerate().map(write).collect(),
        causal: match layer.causal_attn {
            Some(CausalAttn::True) => Causal::True,
            Some(CausalAttn::Reverse) => Causal::Reverse,
            Some(CausalAttn::False) | None => Causal::False,
        },
        rightmost: layer.right_match,
    }
}

/// The register that a map reads for one of the registers written, with the vector for each of its values and for null.
/// Without a register, one vector.
fn vectors(map: &Affine, slot: usize, domains: &Domains) -> (Option<usize>, Vec<Vec<f32>>) {
    let bias = bias(map, slot);
    let Some(block) = map.weights.iter().find(|block| block.target == slot) else { return (None, vec![bias]) };
    let of_value = |value: &ValueId| {
        let mut vector = bias.clone();
        for &(column, entry) in block.matrix.row(value.0 as usize) {
            if let Some(part) = vector.get_mut(column as usize) {
                *part += entry;
            }
        }
        vector
    };
    let values = domains.get(block.source).into_iter().flatten().map(of_value);
    let mut vectors: Vec<Vec<f32>> = values.collect();
    vectors.push(bias);
    (Some(block.source), vectors)
}

fn entries(vector: &[f32]) -> Vec<(usize, f32)> {
    vector.iter().copied().enumerate().filter(|(_, part)| *part != 0.0).collect()
}

/// The number of nonzero parts.
fn few(vectors: &[Vec<f32>]) -> usize {
    vectors.iter().map(|vector| entries(vector).len()).sum()
}

fn dot(left: &[f32], right: &[(usize, f32)]) -> f32 {
    right.iter().filter_map(|(index, part)| Some(left.get(*index)? * part)).sum()
}

//! The JSON document in the metadata.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::model::Model;
use crate::{
    qkvl::{
        CausalAttn,
        read::error::{Read, error},
    },
    weights::parameters::{Affine, HeadWeights, Matching, Weights, WeightsBlock, layers},
};

/// The version of the format without layers that have several heads, which older readers know.
const SINGLE_HEADS: u32 = 1;

/// The version of the format with such layers, in which they are entries `heads`.
const SEVERAL_HEADS: u32 = 2;

/// The versions that are read.
pub(super) const VERSIONS: [u32; 2] = [SINGLE_HEADS, SEVERAL_HEADS];

/// The key of the document in the metadata.
pub(super) const KEY: &str = "psl";

/// The document's place in error messages.
pub(super) const METADATA: &str = "metadata";

/// The suggestion for a file that is refused.
pub(super) const HELP: &str = "use a file in the format that `psl compile --emit weights` writes: see docs/weights.md";

/// The error for a file that cannot be read.
pub(super) fn unreadable<T>(place: &str, cause: &io::Error) -> Read<T> {
    error(place, format!("cannot be read: {cause}"), "check the file and its permissions")
}

/// The error for a register that is listed twice.
pub(super) fn duplicate_register<T>(place: &str, name: &str) -> Read<T> {
    error(place, format!("duplicate register `{name}`"), "list each register once")
}

#[derive(Deserialize, Serialize)]
pub(super) struct Document {
    pub(super) version: u32,
    /// The values, in the order of their components.
    pub(super) vocabulary: Vec<String>,
    /// The component of each position, from position 0.
    pub(super) positions: Vec<u32>,
    /// The short names, block by block.
    pub(super) registers: Vec<String>,
    pub(super) state_registers: usize,
    pub(super) blocks: Vec<BlockEntry>,
    /// As in QKVL: `register_map`, `constant_map`, `watch_list`, `system_map`.
    #[serde(flatten)]
    pub(super) names: Map<String, Value>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BlockEntry {
    Layer(LayerEntry),
    /// A layer with several heads.
    Heads(Vec<LayerEntry>),
    Repeat(RepeatEntry),
}

#[derive(Deserialize, Serialize)]
pub(super) struct LayerEntry {
    pub(super) label: Option<String>,
    #[serde(flatten)]
    pub(super) conditions: Conditions,
    /// The registers that `W_v` and `b_v` write, in order.
    pub(super) sets: Vec<String>,
    pub(super) causal_attn: Option<Causal>,
    pub(super) right_match: bool,
}

#[derive(Deserialize, Serialize)]
pub(super) struct RepeatEntry {
    pub(super) label: Option<String>,
    /// Null for `NO_CHANGE`.
    pub(super) until: Option<Conditions>,
    pub(super) blocks: Vec<BlockEntry>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Conditions {
    /// The dot product of a match.
    pub(super) m: usize,
    /// The registers that query and key write, in order.
    pub(super) conditions: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Causal {
    True,
    False,
    Reverse,
}

impl From<CausalAttn> for Causal {
    fn from(setting: CausalAttn) -> Self {
        match setting {
            CausalAttn::True => Self::True,
            CausalAttn::False => Self::False,
            CausalAttn::Reverse => Self::Reverse,
        }
    }
}

impl From<Causal> for CausalAttn {
    fn from(setting: Causal) -> Self {
        match setting {
            Causal::True => Self::True,
            Causal::False => Self::False,
            Causal::Reverse => Self::Reverse,
        }
    }
}

/// The JSON document of a model's file: everything that is not a number of a tensor.
///
/// # Errors
///
/// Fails if a name cannot be written as JSON.
pub fn document(model: &Model) -> io::Result<String> {
    Ok(serde_json::to_string(&Document::from(model))?)
}

impl From<&Model> for Document {
    fn from(Model { weights, vocabulary, names }: &Model) -> Self {
        let mut names = match serde_json::to_value(names) {
            Ok(Value::Object(names)) => names,
            _ => Map::new(),
        };
        names.shift_remove("weights");
        Self {
            version: if weights.heads().is_empty() { SINGLE_HEADS } else { SEVERAL_HEADS },
            vocabulary: vocabulary.iter().map(str::to_owned).collect(),
            positions: weights.positions.clone(),
            registers: weights.registers.clone(),
            state_registers: weights.state_registers,
            blocks: entries(weights, &weights.blocks),
            names,
        }
    }
}

fn entries(weights: &Weights, blocks: &[WeightsBlock]) -> Vec<BlockEntry> {
    let written = |map: &Affine| -> Vec<String> {
        map.targets.iter().filter_map(|&register| weights.registers.get(register).cloned()).collect()
    };
    let conditions = |matching: &Matching| Conditions { m: matching.count, conditions: written(&matching.query) };
    let head = |layer: &HeadWeights| LayerEntry {
        label: layer.label.clone(),
        conditions: conditions(&layer.matching),
        sets: written(&layer.value),
        causal_attn: layer.causal_attn.map(Causal::from),
        right_match: layer.right_match,
    };
    let entry = |blocks: &[WeightsBlock]| match blocks {
        [WeightsBlock::Layer(layer)] => BlockEntry::Layer(head(layer)),
        [WeightsBlock::Repeat(repeat)] => BlockEntry::Repeat(RepeatEntry {
            label: repeat.label.clone(),
            until: repeat.until.as_ref().map(conditions),
            blocks: entries(weights, &repeat.blocks),
        }),
        heads => BlockEntry::Heads(heads.iter().filter_map(WeightsBlock::layer).map(head).collect()),
    };
    layers(blocks).map(entry).collect()
}

//! What a QKVL file holds.
//!
//! Invariant: strings are resolved when a program is read or
//! compiled, so that a [`Term`] says whether it is a register or a constant; the primed names (`` s` ``) are slots of query
//! and key only and hold no state; query and key have the same slots, and in each slot at least one of the two holds a
//! plain term, so that a slot adds one or nothing to the dot product.

use indexmap::IndexMap;
use psl_syntax::program::{CausalAttn, Function};
use serde::{Serialize, Serializer};

/// A QKVL file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Program {
    /// Long name to short name, in the order of declaration; then `alt_s` to `` s` `` for every primed name.
    pub register_map: IndexMap<String, String>,
    /// Constant's name to its value.
    pub constant_map: IndexMap<String, String>,
    /// The short names of the registers to show.
    pub watch_list: Vec<String>,
    /// Role to short name.
    pub system_map: IndexMap<String, String>,
    /// The layers and repeat blocks in program order: symbolic instructions, not yet numbers.
    pub weights: Vec<Block>,
}

/// An entry of `weights`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Block {
    /// A production.
    Layer(Layer),
    /// Layers that run again and again.
    Repeat(Repeat),
}

/// A production: one attention layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layer {
    /// The production's label.
    pub layer_comment: Option<String>,
    /// The instructions.
    pub weights: Attributes,
    /// Which cells a cell may attend to; null means all.
    #[serde(serialize_with = "causal_attn")]
    pub causal_attn: Option<CausalAttn>,
    /// Whether the rightmost of several matching cells is attended to, instead of the leftmost.
    pub right_match: bool,
}

/// A register dictionary of query or key: slot to what fills it.
pub type Slots = IndexMap<String, Source>;

/// The instructions of a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Attributes {
    /// The query, computed at the cell that is updated.
    pub q: Slots,
    /// The key, computed at the cell that may be attended to; it has the query's slots.
    pub k: Slots,
    /// The value, computed at the cell that is attended to: register to what it is set to.
    pub v: IndexMap<String, Term>,
}

/// A repeat block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repeat {
    /// The block's label.
    pub layer_comment: Option<String>,
    /// When the block ends.
    pub until: Until,
    /// The blocks inside.
    pub weights: Vec<Block>,
}

/// When a repeat block ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Until {
    /// After a pass that changes no register of any cell; written as an empty object.
    NoChange {},
    /// After a pass from which some cell's query matches some cell's key.
    Conditions {
        /// What the query holds, by slot.
        q: Slots,
        /// What the key holds, by slot.
        k: Slots,
    },
}

/// What fills a slot of query or key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A value: matches that value.
    Is(Term),
    /// `["!=", x]`: matches every other value.
    Not(Term),
    /// `["in", …]`: matches each of the constants.
    In(Vec<String>),
    /// `["not_in", …]`: matches every value besides the constants.
    NotIn(Vec<String>),
}

/// A value of the cell, or a fixed one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A register's value, `s`, mapped by the function where there is one, `p@pos_decrement`.
    Register(String, Option<Function>),
    /// A constant, by its value.
    Constant(String),
}

impl Program {
    /// Repeat blocks nest no deeper than this.
    pub const MAX_NESTING: usize = 256;

    /// The registers that hold state, long name and short name, in the order of declaration.
    pub fn registers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.register_map
            .iter()
            .map(|(long, short)| (long.as_str(), short.as_str()))
            .filter(|(_, short)| !is_primed(short))
    }

    /// Every constant's value, declared or only used, possibly more than once.
    pub fn constants(&self) -> Vec<&str> {
        let mut constants: Vec<&str> = self.constant_map.values().map(String::as_str).collect();
        visit_constants(&self.weights, &mut constants);
        constants
    }

    /// The layers in program order: entry i is layer i + 1.
    pub fn layers(&self) -> Vec<&Layer> {
        let mut layers = Vec::new();
        visit_layers(&self.weights, &mut layers);
        layers
    }
}

/// Whether the name is a slot of query and key only.
pub fn is_primed(short: &str) -> bool {
    short.ends_with('`')
}

/// Lists a primed name under `alt_` and the name that it is primed from, as the reference does, or under the first key like
/// it that no register has.
pub(crate) fn list_primed(register_map: &mut IndexMap<String, String>, primed: &str) {
    if register_map.values().any(|name| name == primed) {
        return;
    }
    let mut key = format!("alt_{}", primed.strip_suffix('`').unwrap_or(primed));
    while register_map.contains_key(&key) {
        key.insert_str(0, "alt_");
    }
    register_map.insert(key, primed.to_owned());
}

fn visit_layers<'p>(blocks: &'p [Block], layers: &mut Vec<&'p Layer>) {
    for block in blocks {
        match block {
            Block::Layer(layer) => layers.push(layer),
            Block::Repeat(repeat) => visit_layers(&repeat.weights, layers),
        }
    }
}

fn visit_constants<'p>(blocks: &'p [Block], constants: &mut Vec<&'p str>) {
    for block in blocks {
        match block {
            Block::Layer(Layer { weights: Attributes { q, k, v }, .. }) => {
                constants.extend(q.values().chain(k.values()).flat_map(Source::constants));
                constants.extend(v.values().filter_map(Term::constant));
            }
            Block::Repeat(repeat) => {
                if let Until::Conditions { q, k } = &repeat.until {
                    constants.extend(q.values().chain(k.values()).flat_map(Source::constants));
                }
                visit_constants(&repeat.weights, constants);
            }
        }
    }
}

impl Source {
    fn constants(&self) -> Vec<&str> {
        match self {
            Self::Is(term) | Self::Not(term) => term.constant().into_iter().collect(),
            Self::In(list) | Self::NotIn(list) => list.iter().map(String::as_str).collect(),
        }
    }
}

impl Term {
    fn constant(&self) -> Option<&str> {
        match self {
            Self::Register(..) => None,
            Self::Constant(value) => Some(value),
        }
    }
}

// The signature is serde's.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
fn causal_attn<S: Serializer>(setting: &Option<CausalAttn>, to: S) -> Result<S::Ok, S::Error> {
    setting.map(CausalAttn::as_str).serialize(to)
}

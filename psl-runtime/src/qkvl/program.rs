//! The contents of a QKVL file.
//!
//! Invariant: strings are resolved when a program is read or compiled, so that a [`Term`] is known to be a register or
//! a constant. Primed names (`` s` ``) are slots of query and key only and hold no state. Query and key have the same
//! slots. In each slot at least one of the two is a plain term, so that a slot adds one or zero to the dot product.

use indexmap::IndexMap;
use psl_syntax::program::{CausalAttn, Function};
use rustc_hash::FxBuildHasher;
use serde::{Serialize, Serializer};

use crate::heads::{HeadPlace, places};

/// An object, with its entries in order.
pub type Entries<T> = IndexMap<String, T, FxBuildHasher>;

/// A QKVL file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Program {
    /// Long names to short names, in the order of declaration, then `alt_s` to `` s` `` for every primed name.
    pub register_map: Entries<String>,
    /// Names of constants to their values.
    pub constant_map: Entries<String>,
    /// The short names of the watched registers.
    pub watch_list: Vec<String>,
    /// Roles to short names.
    pub system_map: Entries<String>,
    /// The layers and repeat blocks in program order: symbolic instructions, not numbers.
    #[serde(serialize_with = "blocks")]
    pub weights: Vec<Block>,
}

/// A head of a layer, or a repeat block. An entry of `weights` is the only head of a layer, a list of heads, or a
/// repeat block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Block {
    /// A production.
    Layer(Layer),
    /// A repeat block.
    Repeat(Repeat),
}

/// A production: one head of an attention layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layer {
    /// The production's label.
    pub layer_comment: Option<String>,
    /// The instructions.
    pub weights: Attributes,
    /// The cells that a cell may attend to. Null means all.
    #[serde(serialize_with = "causal_attn")]
    pub causal_attn: Option<CausalAttn>,
    /// Whether the rightmost match wins instead of the leftmost.
    pub right_match: bool,
    /// Whether the head shares the layer of the entry before it. False for the first entry of a list, and after a
    /// repeat block.
    #[serde(skip)]
    pub shares_layer: bool,
}

/// The entries of query or key, by slot.
pub type Slots = Entries<Source>;

/// The instructions of a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Attributes {
    /// The query, computed at the cell being updated.
    pub q: Slots,
    /// The key, computed at the cells that it may attend to. It has the query's slots.
    pub k: Slots,
    /// The value, computed at the cell attended to: registers to their new values.
    pub v: Entries<Term>,
}

/// A repeat block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repeat {
    /// The block's label.
    pub layer_comment: Option<String>,
    /// The block's `until` clause.
    pub until: Until,
    /// The blocks inside.
    #[serde(serialize_with = "blocks")]
    pub weights: Vec<Block>,
}

/// The condition that ends a repeat block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Until {
    /// After a pass that changes no register of any cell. Written as an empty object.
    NoChange {},
    /// After a pass, if some cell's query matches some cell's key.
    Conditions {
        /// The query, by slot.
        q: Slots,
        /// The key, by slot.
        k: Slots,
    },
}

/// The entry of a slot of query or key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A term: matches its value.
    Is(Term),
    /// `["!=", x]`: matches every other value.
    Not(Term),
    /// `["in", …]`: matches each of the constants.
    In(Vec<String>),
    /// `["not_in", …]`: matches every value except the constants.
    NotIn(Vec<String>),
}

/// A register or a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A register's value `s`, or a function of it, `p@pos_decrement`.
    Register(String, Option<Function>),
    /// A constant, by its value.
    Constant(String),
}

impl Block {
    /// The layer, or `None` for a repeat block.
    pub const fn layer(&self) -> Option<&Layer> {
        match self {
            Self::Layer(layer) => Some(layer),
            Self::Repeat(_) => None,
        }
    }
}

/// Divides a list into repeat blocks, each alone, and layers, each with all of its heads.
pub(crate) fn layers(blocks: &[Block]) -> impl Iterator<Item = &[Block]> {
    blocks.chunk_by(|block, next| block.layer().is_some() && next.layer().is_some_and(|next| next.shares_layer))
}

impl Program {
    /// The maximum depth of nested repeat blocks.
    pub const MAX_NESTING: usize = 256;

    /// The registers that hold state: long and short names, in the order of declaration.
    pub fn registers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.register_map
            .iter()
            .map(|(long, short)| (long.as_str(), short.as_str()))
            .filter(|(_, short)| !is_primed(short))
    }

    /// The values of all constants, declared or only used, possibly with duplicates.
    pub fn constants(&self) -> Vec<&str> {
        let mut constants: Vec<&str> = self.constant_map.values().map(String::as_str).collect();
        visit_constants(&self.weights, &mut constants);
        constants
    }

    /// The heads of all layers in program order.
    pub fn layers(&self) -> Vec<&Layer> {
        let mut layers = Vec::new();
        visit_layers(&self.weights, &mut layers);
        layers
    }

    /// The places of [`Program::layers`], or an empty list if every layer has one head.
    pub fn heads(&self) -> Vec<HeadPlace> {
        places(self.layers().into_iter().map(|layer| layer.shares_layer))
    }
}

/// Whether a name is primed, and so only a slot of query and key.
pub fn is_primed(short: &str) -> bool {
    short.ends_with('`')
}

/// Lists a primed name under `alt_` plus the name without its last prime, as the reference does. If that key is taken,
/// more `alt_` are prepended.
pub(crate) fn list_primed(register_map: &mut Entries<String>, primed: &str) {
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

/// An entry of a list of blocks.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'p> {
    Block(&'p Block),
    /// A layer with several heads.
    Layer {
        heads: Vec<&'p Layer>,
    },
}

/// Writes a list of blocks, with one entry for all heads of a layer.
fn blocks<S: Serializer>(blocks: &[Block], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(layers(blocks).map(|heads| match heads {
        [block] => Entry::Block(block),
        heads => Entry::Layer { heads: heads.iter().filter_map(Block::layer).collect() },
    }))
}

// serde requires this signature.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
fn causal_attn<S: Serializer>(setting: &Option<CausalAttn>, to: S) -> Result<S::Ok, S::Error> {
    setting.map(CausalAttn::as_str).serialize(to)
}

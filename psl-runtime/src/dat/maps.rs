//! The weights of a program as maps from values to values, which the fast DAT runs.

use std::{collections::BTreeSet, ops::Range, slice};

use psl_syntax::program::{CausalAttn, ProductionId};
use rustc_hash::FxHashMap;

use super::{
    conditions::Conditions,
    reading::{Assigned, Reading},
    timeline::Place,
    watches::Watches,
};
use crate::{
    heads::LayerId,
    run_error::BlockName,
    weights::{Form, InstructionBlock, Instructions, RecognizeError, Weights, instructions::layers, recognize},
};

/// The weights of a program as maps from values to values.
#[derive(Clone, Debug)]
pub struct Maps {
    pub(super) nodes: Vec<Node>,
    /// The number of heads of all layers.
    pub(super) heads: usize,
    /// The number of blocks that are in no other.
    pub(super) blocks: usize,
    /// The number of registers that hold state.
    pub(super) width: usize,
    pub(super) position: Option<usize>,
    pub(super) output: Option<usize>,
    /// Whether some layer sets the position. Then a cell's position may differ from its index.
    pub(super) sets_position: bool,
    /// The values that tests name.
    pub(super) watches: Watches,
    /// By register: whether some layer reads that of the cell attended to.
    pub(super) read_as_key: Vec<bool>,
}

/// A layer or a repeat block.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A layer with one head.
    Layer(HeadMaps),
    MultiHead(MultiHead),
    Repeat(Repeat),
}

impl Node {
    /// The heads of a layer.
    pub(super) fn heads(&self) -> &[HeadMaps] {
        match self {
            Self::Layer(layer) => slice::from_ref(layer),
            Self::MultiHead(heads) => &heads.heads,
            Self::Repeat(_) => &[],
        }
    }
}

/// A layer with several heads.
#[derive(Clone, Debug)]
pub(super) struct MultiHead {
    pub(super) id: LayerId,
    pub(super) heads: Vec<HeadMaps>,
    /// The registers that several heads set, ascending.
    pub(super) shared: Vec<usize>,
}

/// The maps of a layer with one head, or of a head of a layer with several.
#[derive(Clone, Debug)]
pub(super) struct HeadMaps {
    pub(super) id: ProductionId,
    pub(super) place: Place,
    pub(super) conditions: Conditions,
    /// Registers and their new values.
    pub(super) value: Vec<(usize, Assigned)>,
    pub(super) causal_attn: Option<CausalAttn>,
    pub(super) right_match: bool,
    /// The registers of the cell attended to that are read.
    pub(super) key_registers: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Repeat {
    number: usize,
    label: Option<String>,
    /// The block's number among the blocks of the body around it.
    pub(super) index: usize,
    /// `None` for `NO_CHANGE`.
    pub(super) until: Option<Conditions>,
    pub(super) body: Vec<Node>,
    /// Whether the block has inner blocks.
    pub(super) nests: bool,
    /// The block's heads, with those of the blocks inside it.
    pub(super) heads: Range<ProductionId>,
    pub(super) readers: Readers,
}

/// By register: the heads of a block that it matters to.
pub(super) type Readers = FxHashMap<usize, Vec<Reader>>;

/// A head in a block that reads or writes a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) head: ProductionId,
    /// Whether the head reads the register of the updated cell, or writes it.
    pub(super) query: bool,
    /// Whether the head reads the register of the cell attended to.
    pub(super) key: bool,
}

impl Repeat {
    pub(super) fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.label.clone() }
    }
}

impl Maps {
    /// Builds the maps from the weights. `unnamed` are the components of values that the program cannot name.
    /// [`recognize`] needs them for maps that run on other vocabularies.
    ///
    /// # Errors
    ///
    /// Weights that no program has.
    pub fn new(weights: &Weights, unnamed: &[u32]) -> Result<Self, RecognizeError> {
        Ok(Self::of(weights, &recognize(weights, unnamed)?))
    }

    /// Builds the maps of weights with these instructions.
    pub(crate) fn of(weights: &Weights, instructions: &[InstructionBlock]) -> Self {
        let mut loader = Loader {
            position: weights.position,
            width: weights.state_registers,
            layers: 0,
            heads: 0,
            repeats: 0,
            sets_position: false,
            watches: Watches::default(),
        };
        let nodes = loader.nodes(instructions);
        let Loader { position, width, heads, sets_position, mut watches, .. } = loader;
        watches.finish(width);
        let mut read_as_key = vec![false; width];
        add_read_as_key(&nodes, &mut read_as_key);
        let blocks = nodes.iter().filter(|node| matches!(node, Node::Repeat(_))).count();
        Self { nodes, heads, blocks, width, position, output: weights.output, sets_position, watches, read_as_key }
    }
}

/// Counts layers, heads and blocks.
struct Loader {
    position: Option<usize>,
    width: usize,
    layers: usize,
    heads: usize,
    repeats: usize,
    sets_position: bool,
    watches: Watches,
}

impl Loader {
    fn nodes(&mut self, blocks: &[InstructionBlock]) -> Vec<Node> {
        let mut place = Place::default();
        let mut node = |entry: &[InstructionBlock]| match entry {
            [InstructionBlock::Repeat { label, until, blocks }] => {
                let index = place.blocks;
                place = Place { blocks: index + 1, offset: 0 };
                Node::Repeat(self.repeat(index, label.clone(), until.as_deref(), blocks))
            }
            heads => {
                place.offset += 1;
                self.layer(heads, place)
            }
        };
        layers(blocks).map(&mut node).collect()
    }

    fn layer(&mut self, heads: &[InstructionBlock], place: Place) -> Node {
        let id = LayerId::new(self.layers);
        self.layers += 1;
        let heads = heads.iter().filter_map(InstructionBlock::layer);
        let mut heads: Vec<HeadMaps> = heads.map(|head| self.head(head, place)).collect();
        match heads.pop() {
            Some(only) if heads.is_empty() => Node::Layer(only),
            last => {
                heads.extend(last);
                // A head sets each register once.
                let mut set: Vec<usize> = heads.iter().flat_map(|head| &head.value).map(|(it, _)| *it).collect();
                set.sort_unstable();
                let mut shared: Vec<usize> =
                    set.iter().zip(set.iter().skip(1)).filter(|(it, next)| it == next).map(|(it, _)| *it).collect();
                shared.dedup();
                Node::MultiHead(MultiHead { id, heads, shared })
            }
        }
    }

    fn repeat(
        &mut self,
        index: usize,
        label: Option<String>,
        until: Option<&[crate::weights::Slot]>,
        blocks: &[InstructionBlock],
    ) -> Repeat {
        self.repeats += 1;
        let number = self.repeats;
        let until = until.map(|slots| Conditions::new(slots, self.position, &mut self.watches));
        let first = ProductionId::new(self.heads);
        let body = self.nodes(blocks);
        let mut readers = Readers::default();
        add_readers(&body, &mut readers);
        let nests = body.iter().any(|node| matches!(node, Node::Repeat(_)));
        Repeat { number, label, index, until, body, nests, heads: first..ProductionId::new(self.heads), readers }
    }

    fn head(&mut self, instructions: &Instructions, place: Place) -> HeadMaps {
        let Instructions { slots, value, causal_attn, right_match, .. } = instructions;
        let id = ProductionId::new(self.heads);
        self.heads += 1;
        self.sets_position |= value.iter().any(|(register, _)| Some(*register) == self.position);
        let conditions = Conditions::new(slots, self.position, &mut self.watches);
        let value: Vec<(usize, Assigned)> =
            value.iter().filter_map(|(register, form)| Some((*register, assigned(form)?))).collect();
        for (register, assigned) in &value {
            if let Assigned::Constant(value) = assigned {
                self.watches.watch(*register, *value);
            }
        }
        let sources = value.iter().filter_map(|(_, assigned)| Some(assigned.reading()?.register));
        let mut key_registers: Vec<usize> = conditions.key_registers().chain(sources).collect();
        key_registers.sort_unstable();
        key_registers.dedup();
        HeadMaps { id, place, conditions, value, causal_attn: *causal_attn, right_match: *right_match, key_registers }
    }
}

fn add_read_as_key(nodes: &[Node], read: &mut [bool]) {
    for node in nodes {
        match node {
            Node::Repeat(repeat) => add_read_as_key(&repeat.body, read),
            Node::Layer(_) | Node::MultiHead(_) => {
                for register in node.heads().iter().flat_map(|head| &head.key_registers) {
                    if let Some(read) = read.get_mut(*register) {
                        *read = true;
                    }
                }
            }
        }
    }
}

fn add_readers(body: &[Node], readers: &mut Readers) {
    for node in body {
        if let Node::Repeat(repeat) = node {
            add_readers(&repeat.body, readers);
        }
        for layer in node.heads() {
            let written = layer.value.iter().map(|(register, _)| *register);
            let queries: BTreeSet<usize> = layer.conditions.query_registers().chain(written).collect();
            let keys: BTreeSet<usize> = layer.key_registers.iter().copied().collect();
            for register in &queries | &keys {
                let (query, key) = (queries.contains(&register), keys.contains(&register));
                readers.entry(register).or_default().push(Reader { head: layer.id, query, key });
            }
        }
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

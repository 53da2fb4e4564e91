//! A program's layers and blocks, numbered, with names resolved.

use std::ops::Range;

use psl_syntax::program::{CausalAttn, ProductionId};

use super::{
    attributes::{Lookup, Reading},
    matching::Matching,
};
use crate::{
    heads::LayerId,
    qkvl::{self, Block, Entries, Term, Until, layers},
    run_error::BlockName,
};

/// A layer or a block, with names resolved.
#[derive(Debug)]
pub(super) enum Node<'p> {
    Layer(QkvmLayer),
    Repeat(Repeat<'p>),
}

#[derive(Debug)]
pub(super) struct QkvmLayer {
    pub(super) id: LayerId,
    pub(super) heads: Vec<Head>,
}

#[derive(Debug)]
pub(super) struct Head {
    pub(super) id: ProductionId,
    pub(super) causal_attn: Option<CausalAttn>,
    pub(super) right_match: bool,
    pub(super) matching: Matching,
    /// Registers and their new values.
    pub(super) value: Vec<(usize, Reading)>,
}

#[derive(Debug)]
pub(super) struct Repeat<'p> {
    pub(super) number: usize,
    pub(super) label: Option<&'p str>,
    /// `None` for `NO_CHANGE`.
    pub(super) until: Option<Matching>,
    pub(super) body: Vec<Node<'p>>,
    /// The block's heads, with those of the blocks inside it.
    pub(super) heads: Range<ProductionId>,
}

impl Repeat<'_> {
    pub(super) fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.label.map(str::to_owned) }
    }
}

/// The nodes of a program's blocks.
pub(super) fn nodes<'p>(blocks: &'p [Block], lookup: &Lookup<'_>) -> Vec<Node<'p>> {
    Loader { lookup, layers: 0, heads: 0, repeats: 0 }.nodes(blocks)
}

/// Resolves names and numbers the nodes.
struct Loader<'l> {
    lookup: &'l Lookup<'l>,
    layers: usize,
    heads: usize,
    repeats: usize,
}

impl Loader<'_> {
    fn nodes<'p>(&mut self, blocks: &'p [Block]) -> Vec<Node<'p>> {
        layers(blocks).map(|entry| self.node(entry)).collect()
    }

    /// The node of a repeat block, or of the heads of a layer.
    fn node<'p>(&mut self, entry: &'p [Block]) -> Node<'p> {
        match entry {
            [Block::Repeat(repeat)] => {
                self.repeats += 1;
                let (number, first) = (self.repeats, ProductionId::new(self.heads));
                let body = self.nodes(&repeat.weights);
                Node::Repeat(Repeat {
                    number,
                    label: repeat.layer_comment.as_deref(),
                    until: match &repeat.until {
                        Until::NoChange {} => None,
                        Until::Conditions { q, k } => Some(Matching::new(self.lookup, q, k)),
                    },
                    body,
                    heads: first..ProductionId::new(self.heads),
                })
            }
            heads => {
                let id = LayerId::new(self.layers);
                self.layers += 1;
                let heads = heads.iter().filter_map(Block::layer).map(|head| self.head(head)).collect();
                Node::Layer(QkvmLayer { id, heads })
            }
        }
    }

    fn head(&mut self, head: &qkvl::Layer) -> Head {
        let id = ProductionId::new(self.heads);
        self.heads += 1;
        Head {
            id,
            causal_attn: head.causal_attn,
            right_match: head.right_match,
            matching: Matching::new(self.lookup, &head.weights.q, &head.weights.k),
            value: self.value(&head.weights.v),
        }
    }

    fn value(&self, v: &Entries<Term>) -> Vec<(usize, Reading)> {
        let entry = |(name, term): (&String, &Term)| Some((self.lookup.register(name)?, self.lookup.reading(term)));
        v.iter().filter_map(entry).collect()
    }
}

//! A program's statements, numbered, with their conditions split by the cells that they read.

use std::ops::Range;

use psl_syntax::program::{Condition, Production, ProductionId, Repeat, Statement, Until};

use super::search::SplitConditions;
use crate::{heads::LayerId, run_error::BlockName};

/// A statement with its number in program order.
#[derive(Debug)]
pub(super) enum Node<'p> {
    Layer(PsmLayer<'p>),
    Block(BlockNode<'p>),
}

/// A production and those that share its layer.
#[derive(Debug)]
pub(super) struct PsmLayer<'p> {
    pub(super) id: LayerId,
    /// At least one.
    pub(super) heads: Vec<Head<'p>>,
}

#[derive(Debug)]
pub(super) struct Head<'p> {
    pub(super) id: ProductionId,
    pub(super) production: &'p Production,
    pub(super) conditions: SplitConditions<'p>,
}

#[derive(Debug)]
pub(super) struct BlockNode<'p> {
    pub(super) number: usize,
    pub(super) repeat: &'p Repeat,
    /// Empty for `NO_CHANGE`.
    pub(super) until: SplitConditions<'p>,
    pub(super) body: Vec<Node<'p>>,
    /// The block's heads, with those of the blocks inside it.
    pub(super) heads: Range<ProductionId>,
    /// The heads of its first layer.
    pub(super) first_layer: Range<ProductionId>,
}

impl BlockNode<'_> {
    pub(super) fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.repeat.label.clone() }
    }
}

/// The nodes of a program. Productions with errors are left out.
pub(super) fn nodes(statements: &[Statement]) -> Vec<Node<'_>> {
    Counters::default().nodes(statements)
}

/// The heads of the first layer in a body.
fn first_layer(body: &[Node<'_>]) -> Range<ProductionId> {
    let heads = |node: &Node<'_>| match node {
        Node::Layer(PsmLayer { heads, .. }) => {
            let first = heads.first()?.id.index();
            Some(ProductionId::new(first)..ProductionId::new(first + heads.len()))
        }
        Node::Block(block) => Some(block.first_layer.clone()).filter(|heads| !heads.is_empty()),
    };
    body.iter().find_map(heads).unwrap_or_default()
}

/// The number of layers, heads and blocks so far.
#[derive(Default)]
struct Counters {
    layers: usize,
    heads: usize,
    blocks: usize,
}

impl Counters {
    fn nodes<'p>(&mut self, statements: &'p [Statement]) -> Vec<Node<'p>> {
        let mut nodes = Vec::with_capacity(statements.len());
        // Whether the last node is the layer of the production before, some head of which may have been left out.
        let mut continues = false;
        for statement in statements {
            continues &= matches!(statement, Statement::Production(production) if production.shares_layer);
            match statement {
                Statement::Production(production) if !production.sound => {}
                Statement::Production(production) => {
                    let conditions = SplitConditions::new(&production.conditions);
                    let head = Head { id: ProductionId::new(self.heads), production, conditions };
                    self.heads += 1;
                    match nodes.last_mut() {
                        Some(Node::Layer(layer)) if continues => layer.heads.push(head),
                        _ => {
                            nodes.push(Node::Layer(PsmLayer { id: LayerId::new(self.layers), heads: vec![head] }));
                            self.layers += 1;
                        }
                    }
                    continues = true;
                }
                Statement::Repeat(repeat) => {
                    self.blocks += 1;
                    let conditions: &[Condition] = match &repeat.until {
                        Until::NoChange => &[],
                        Until::Conditions(conditions) => conditions,
                    };
                    let (number, until) = (self.blocks, SplitConditions::new(conditions));
                    let first = ProductionId::new(self.heads);
                    let body = self.nodes(&repeat.body);
                    let (heads, first_layer) = (first..ProductionId::new(self.heads), first_layer(&body));
                    nodes.push(Node::Block(BlockNode { number, repeat, until, body, heads, first_layer }));
                }
            }
        }
        nodes
    }
}

//! A program's statements, numbered, with their conditions split by the cells that they read.

use std::ops::Range;

use psl_syntax::program::{Condition, Production, Repeat, Statement, Until};

use super::search::SplitConditions;
use crate::run_error::BlockName;

/// A statement with its number in program order.
#[derive(Debug)]
pub(super) enum Node<'p> {
    Layer(Layer<'p>),
    Block(BlockNode<'p>),
}

#[derive(Debug)]
pub(super) struct Layer<'p> {
    pub(super) number: usize,
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
    /// The numbers of its layers, with those of the blocks inside it.
    pub(super) layers: Range<usize>,
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

/// The numbers of layers and blocks so far.
#[derive(Default)]
struct Counters {
    layers: usize,
    blocks: usize,
}

impl Counters {
    fn nodes<'p>(&mut self, statements: &'p [Statement]) -> Vec<Node<'p>> {
        let mut nodes = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::Production(production) if !production.sound => {}
                Statement::Production(production) => {
                    self.layers += 1;
                    let split = SplitConditions::new(&production.conditions);
                    nodes.push(Node::Layer(Layer { number: self.layers, production, conditions: split }));
                }
                Statement::Repeat(repeat) => {
                    self.blocks += 1;
                    let conditions: &[Condition] = match &repeat.until {
                        Until::NoChange => &[],
                        Until::Conditions(conditions) => conditions,
                    };
                    let (number, until) = (self.blocks, SplitConditions::new(conditions));
                    let first = self.layers + 1;
                    let body = self.nodes(&repeat.body);
                    nodes.push(Node::Block(BlockNode { number, repeat, until, body, layers: first..self.layers + 1 }));
                }
            }
        }
        nodes
    }
}

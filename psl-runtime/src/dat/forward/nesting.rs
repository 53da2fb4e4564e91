//! Runs layers and blocks in order: a whole program, or a pass of a block with inner blocks.
//!
//! # Why it is correct
//!
//! Nothing is skipped. Each pass of a block with inner blocks has its own caches for everything inside, so a layer has never
//! run before in the same step, and updates all cells. A pass that the earlier cells did not take starts from a copy of the
//! caches of their last pass, in which they rest, as they do in the inner blocks. The copy is made before the step's cells
//! enter the block, so that it has none of their rows. States before and after a pass are compared to find out whether it
//! changed anything: the list of changes belongs to the inner block that ran last.

use std::mem;

use super::{
    flat::{self, FlatCache},
    walk::{LayerCache, Walk},
};
use crate::{
    dat::{
        forward_step::ForwardStep,
        maps::{Node, Repeat},
    },
    run_error::RunError,
};

/// The cache of a layer or a block.
#[derive(Clone, Debug)]
pub(super) enum NodeCache {
    Layer(LayerCache),
    Flat(FlatCache),
    /// By pass.
    Nesting(Vec<Vec<NodeCache>>),
}

impl NodeCache {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::Layer(layer) => layer.len(),
            Self::Flat(block) => block.len(),
            Self::Nesting(passes) => passes.iter().flatten().map(Self::len).sum(),
        }
    }
}

/// The caches before the first cell.
pub(super) fn empty_caches(nodes: &[Node], step: &ForwardStep<'_>) -> Vec<NodeCache> {
    let empty = |node: &Node| match node {
        Node::Layer(layer) => NodeCache::Layer(LayerCache::empty(layer, step)),
        Node::Flat(repeat) => NodeCache::Flat(FlatCache::empty(repeat, step)),
        Node::Nesting(_) => NodeCache::Nesting(Vec::new()),
    };
    nodes.iter().map(empty).collect()
}

/// Runs layers and blocks for the step's cells.
pub(super) fn run(walk: &mut Walk<'_, '_>, nodes: &[Node], caches: &mut [NodeCache]) -> Result<(), RunError> {
    for (node, cache) in nodes.iter().zip(caches) {
        match (node, cache) {
            (Node::Layer(layer), NodeCache::Layer(cache)) => walk.layer(layer, cache, None)?,
            (Node::Flat(repeat), NodeCache::Flat(cache)) => flat::run(walk, repeat, cache)?,
            (Node::Nesting(block), NodeCache::Nesting(passes)) => repeat(walk, block, passes)?,
            _ => {}
        }
    }
    Ok(())
}

/// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
fn repeat(walk: &mut Walk<'_, '_>, block: &Repeat<Node>, passes: &mut Vec<Vec<NodeCache>>) -> Result<(), RunError> {
    let before = passes.len();
    let resting = passes.last().cloned();
    walk.meter.worked(resting.iter().flatten().map(|cache| 2 * cache.len()).sum())?;
    let mut cycles = mem::take(&mut walk.cycles);
    let mut entering = Vec::new();
    for pass in 1.. {
        if passes.len() < pass {
            let new = resting.clone().unwrap_or_else(|| empty_caches(&block.body, &walk.step));
            walk.meter.keep(new.iter().map(NodeCache::len).sum())?;
            passes.push(new);
        }
        let Some(caches) = passes.get_mut(pass - 1) else { break };
        if pass == before.max(1) {
            cycles.start(&walk.step.states);
        }
        entering.clone_from(&walk.step.states);
        walk.start_pass(block, pass, &cycles)?;
        run(walk, &block.body, caches)?;
        walk.end_pass();
        if pass < before {
            continue;
        }
        let ends = match &block.until {
            None => walk.step.states == entering,
            Some(_) if before > 0 => true,
            Some(_) if walk.limits.ablates(&block.layers) && walk.step.states == entering => true,
            Some(conditions) => walk.step.some_pair_matches(conditions, &mut walk.meter)?,
        };
        if ends {
            break;
        }
        walk.check_cycle(block, &mut cycles)?;
    }
    walk.cycles = cycles;
    walk.step.changes.clear();
    Ok(())
}

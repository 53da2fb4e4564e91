//! Runs layers and blocks in order: a whole program, or a pass of a block.
//!
//! # Why layers are skipped
//!
//! In a step's first pass, every layer updates all cells. Its effect on a cell in a later pass depends on three things:
//! the registers of the step's cells when they enter the layer, the number of cells, and what it reads of earlier cells
//! in that pass. The number of cells is constant within a step. Each write of a register marks its cell at all layers
//! of the outermost block that read the register, or write it.
//!
//! If no cell is marked, and the earlier cells are as they were, each cell attends to the same cell and is set to the
//! same values. That changes nothing: a register overwritten since then would be marked. If only cells are marked whose
//! own registers are read or were overwritten, all others attend to the same cell, which has the same values. If a
//! layer reads a neighbor, it can change the cells marked and those whose neighbor is marked.
//!
//! The earlier cells matter only to a layer whose updated cell passes its tests. In a block without inner blocks, a
//! layer reads the same of them in all passes after the last in which one of them wrote a register that it reads, but
//! for the next.
//!
//! # Why a block may end early
//!
//! A step takes at least as many passes as the earlier cells did. If no layer of a block without inner blocks would
//! change anything in a pass of a generated cell, none would in later passes: nothing is marked, and what holds of the
//! earlier cells holds then, too. After the last required pass, `NO_CHANGE` ends the block. Conditions end it too,
//! because they hold for some pair of earlier cells.
//!
//! An observer gets every cell in every pass. With an observer, all layers run for all cells, and no block ends early.

use std::mem;

use super::{
    maps::{Node, Repeat},
    timeline::{BlockTime, Pass, PassTime},
    value::Value,
    walk::Walk,
};
use crate::run_error::RunError;

/// Runs all layers for the next cells. The first step has all cells of the prompt, every later step has one cell.
///
/// Fails if a block does not end or the meter stops the run.
pub(super) fn walk_layers(walk: &mut Walk<'_, '_>, states: &[Value]) -> Result<(), RunError> {
    walk.meter.check()?;
    walk.enter(states);
    let nodes = &walk.step.maps.nodes;
    let mut times = mem::take(&mut walk.times);
    walk_nodes(walk, nodes, &mut times)?;
    walk.step.scratch.timeline.times.append(&mut times);
    walk.times = times;
    walk.number += 1;
    walk.step.first += walk.step.cells;
    Ok(())
}

/// Runs layers and blocks, and adds the times of the blocks.
fn walk_nodes<'m>(walk: &mut Walk<'m, '_>, nodes: &'m [Node], times: &mut Vec<BlockTime>) -> Result<(), RunError> {
    for node in nodes {
        match node {
            Node::Layer(layer) if walk.passes_by(layer) => {}
            Node::Layer(layer) => walk.layer(layer)?,
            Node::MultiHead(layer) => walk.multi_head(layer)?,
            Node::Repeat(block) => times.push(walk_block(walk, block)?),
        }
    }
    Ok(())
}

/// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
fn walk_block<'m>(walk: &mut Walk<'m, '_>, block: &'m Repeat) -> Result<BlockTime, RunError> {
    let start = walk.step.tick;
    let before = walk.step.passes_of_earlier(block);
    if walk.step.path.is_empty() {
        walk.step.set_readers(&block.readers);
    }
    walk.step.path.push(Pass { block: block.index, pass: 1 });
    let mut cycles = mem::take(&mut walk.cycles);
    let (mut inner, mut entering) = (Vec::new(), Vec::new());
    let mut passes = 0;
    for pass in 1.. {
        passes = pass;
        if pass == before.max(1) {
            cycles.start(&walk.step.scratch.states);
        }
        walk.start_pass(block, pass, &cycles)?;
        if !block.nests && !walk.is_observed() && !walk.step.is_prefill() && rest(walk, block) {
            passes = pass.max(before);
            break;
        }
        if block.nests {
            entering.clone_from(&walk.step.scratch.states);
        }
        let mut time = PassTime { start: walk.step.tick, blocks: Vec::new() };
        walk_nodes(walk, &block.body, &mut time.blocks)?;
        if block.nests {
            inner.push(time);
        }
        if pass < before {
            continue;
        }
        // The list of changes is that of the inner block that ran last.
        let is_unchanged = || if block.nests { walk.step.scratch.states == entering } else { walk.step.is_unchanged() };
        let ends = match &block.until {
            None => is_unchanged(),
            Some(_) if before > 0 => true,
            Some(_) if walk.limits.ablates(&block.heads) && is_unchanged() => true,
            Some(conditions) => walk.step.some_pair_matches(conditions, &mut walk.meter)?,
        };
        if ends {
            break;
        }
        walk.check_cycle(block, &mut cycles)?;
    }
    walk.cycles = cycles;
    walk.step.path.pop();
    if !block.nests {
        walk.step.tick = start + (passes * block.body.len()) as u32;
    }
    Ok(BlockTime { start, end: walk.step.tick, passes, inner })
}

/// Whether no layer of a block without inner blocks would change anything in this pass.
fn rest(walk: &Walk<'_, '_>, block: &Repeat) -> bool {
    block.body.iter().all(|node| match node {
        Node::Layer(_) | Node::MultiHead(_) => node.heads().iter().all(|head| walk.step.rests(head)),
        Node::Repeat(_) => false,
    })
}

//! The discrete-attention-only transformer: runs the weights (70)-(71), App. F.
//!
//! Only tensors: a symbol, a position or any other value is a component of a one-hot block. Keys and values of earlier
//! cells stay in a cache, one entry for every layer and every pass of the repeat blocks around it; a cell that needed fewer
//! passes stands there with its last one.

mod attention;
mod forward;

use crate::input::{Input, State};
use crate::limits::Limits;
use crate::machine::{Machine, Observer, Run, RunError, Stopped};
use crate::vocabulary::ValueId;
use crate::weights::{Block, Layer, Repeat, Weights, nonzero};
use forward::Forward;

/// The discrete-attention-only transformer.
#[derive(Debug)]
pub struct FullDat<'w> {
    weights: &'w Weights,
    /// d.
    dimension: usize,
    /// The components of a cell: those of the primed registers are always zero in it and left out.
    cell_size: usize,
    nodes: Vec<Node<'w>>,
    layers: usize,
    repeats: usize,
}

/// A block with its index among the layers or among the repeat blocks.
#[derive(Debug)]
enum Node<'w> {
    Layer(usize, &'w Layer),
    Repeat(usize, &'w Repeat, Vec<Node<'w>>),
}

impl<'w> FullDat<'w> {
    /// Loads the weights.
    pub fn new(weights: &'w Weights) -> Self {
        // At least 1, so that a stream can be cut into blocks and cells whatever the weights say.
        let dimension = weights.dimension.max(1);
        let cell_size = (weights.state_registers * dimension).max(1);
        let mut dat = Self { weights, dimension, cell_size, nodes: Vec::new(), layers: 0, repeats: 0 };
        dat.nodes = dat.number(&weights.blocks);
        dat
    }

    fn number(&mut self, blocks: &'w [Block]) -> Vec<Node<'w>> {
        let mut nodes = Vec::with_capacity(blocks.len());
        for block in blocks {
            nodes.push(match block {
                Block::Layer(layer) => {
                    self.layers += 1;
                    Node::Layer(self.layers - 1, layer)
                }
                Block::Repeat(repeat) => {
                    self.repeats += 1;
                    Node::Repeat(self.repeats - 1, repeat, self.number(&repeat.blocks))
                }
            });
        }
        nodes
    }

    /// The residual stream of the cells: for each cell and register a block of d components, one-hot or zero.
    fn embed(&self, cells: &[State]) -> Vec<f32> {
        let registers = 0..self.weights.state_registers;
        let held = |cell: &State, register: usize| cell.get(register).copied().flatten();
        let values = cells.iter().flat_map(|cell| registers.clone().map(move |register| held(cell, register)));
        let mut stream = vec![0.0; cells.len() * registers.len() * self.dimension];
        for (block, value) in stream.chunks_exact_mut(self.dimension).zip(values) {
            one_hot(block, value.map(|value| value.0));
        }
        stream
    }

    /// What the registers hold in some cells' part of the residual stream.
    fn decode(&self, cells: &[f32]) -> State {
        cells.chunks_exact(self.dimension).map(largest).collect()
    }

    fn block<'s>(&self, cell: &'s [f32], register: usize) -> &'s [f32] {
        let dimension = self.dimension;
        cell.get(register * dimension..(register + 1) * dimension).unwrap_or_default()
    }

    /// The residual stream of one generated cell as it enters the first layer: its predecessor's last one, at its own
    /// position (71a).
    fn generated(&self, predecessor: &[f32], number: usize) -> Vec<f32> {
        let mut cell = predecessor.to_vec();
        if let Some(register) = self.weights.position {
            let dimension = self.dimension;
            if let Some(block) = cell.get_mut(register * dimension..(register + 1) * dimension) {
                one_hot(block, self.weights.positions.get(number).copied());
            }
        }
        cell
    }
}

impl Machine for FullDat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let mut entering = self.embed(&input.cells);
        let mut finished: Vec<f32> = Vec::new();
        let mut forward = Forward::new(self, limits, observer);
        let mut output = Vec::new();
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                forward.forget();
            }
            let wave = entering.get(finished.len()..).unwrap_or_default().to_vec();
            finished.extend(forward.wave(&self.nodes, wave)?);
            let last = finished.rchunks_exact(self.cell_size).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = self.weights.output.and_then(|register| largest(self.block(last, register)));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            let number = finished.len() / self.cell_size + 1;
            entering.extend(self.generated(last, number));
        };
        let states = finished.chunks_exact(self.cell_size).map(|cell| self.decode(cell)).collect();
        Ok(Run { output, stopped, states })
    }
}

/// Writes a one-hot vector, or zero.
fn one_hot(block: &mut [f32], hot: Option<u32>) {
    block.fill(0.0);
    if let Some(component) = hot.and_then(|index| block.get_mut(index as usize)) {
        *component = 1.0;
    }
}

/// The index of the largest component; none where all are zero.
fn largest(block: &[f32]) -> Option<ValueId> {
    let positive = nonzero(block).filter(|(_, component)| *component > 0.0);
    positive.max_by(|(_, left), (_, right)| left.total_cmp(right)).map(|(index, _)| ValueId(index))
}

//! The discrete-attention-only transformer by the full arithmetic: runs the weights (70)-(71), App. F, in any of the
//! embeddings (69).
//!
//! It uses only tensors: a symbol, a position or any other value is a vector, one-hot or dense. Table (72), at
//! [`Kind`](crate::weights::Kind), lists the weights' blocks and biases. Keys and values of earlier cells are cached
//! per head and pass of the enclosing repeat blocks. The semantics of repeat blocks are [the same for all
//! machines](crate::machine#repeat-blocks).

mod attention;
mod basis;
mod forward;
mod load;
mod space;
mod state_vectors;

use crate::{
    input::{Input, State},
    limits::Limits,
    machine::{Machine, Observer, Run, Stopped},
    meter::Meter,
    run_error::RunError,
    vocabulary::ValueId,
    weights::Weights,
};
use forward::FullDatForward;
use load::{Loader, Node};
use psl_syntax::index::at;
pub use space::Embedding;
use space::Space;
pub use state_vectors::StateVectors;

/// The discrete-attention-only transformer by the full arithmetic.
#[derive(Debug)]
pub struct FullDat<'w> {
    weights: &'w Weights,
    space: Space,
    nodes: Vec<Node<'w>>,
    heads: usize,
    repeats: usize,
}

impl<'w> FullDat<'w> {
    /// The maximum number of dense vectors of values, d, or of registers, R. A basis of d vectors takes about d^3
    /// operations.
    pub const MAX_DENSE: usize = Space::MAX_DENSE;

    /// Loads the weights in the local embedding.
    ///
    /// # Errors
    ///
    /// None, because one-hot vectors need no work.
    pub fn new(weights: &'w Weights, limits: &Limits) -> Result<Self, RunError> {
        Self::embedded(weights, Embedding::Local, limits)
    }

    /// Loads the weights in an embedding. It differs from the local one by an orthogonal change of basis.
    ///
    /// # Errors
    ///
    /// Dense vectors of more than [`FullDat::MAX_DENSE`] components, a cancelled run, or too much work.
    pub fn embedded(weights: &'w Weights, embedding: Embedding, limits: &Limits) -> Result<Self, RunError> {
        let mut meter = Meter::new(limits);
        let space = Space::new(weights, embedding, &mut meter)?;
        let mut loader = Loader::new(&space, meter);
        let nodes = loader.nodes(&weights.blocks)?;
        let (heads, repeats) = (loader.heads, loader.repeats);
        Ok(Self { weights, space, nodes, heads, repeats })
    }
}

impl Machine for FullDat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        // Between layers, each vector represents a state, and states take less memory.
        let mut entering: Vec<State> = input.cells.clone();
        let mut finished: Vec<State> = Vec::new();
        let mut forward = FullDatForward::new(&self.space, (self.heads, self.repeats), limits, observer);
        let mut output = Vec::new();
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                forward.reset();
            }
            forward.embed_and_run(&self.nodes, at(&entering, finished.len()..), &mut finished)?;
            let last = finished.last().filter(|_| output.len() < limits.max_new);
            let Some(last) = last else { break Stopped::MaxNew };
            let symbol = self.weights.output.and_then(|register| last.get(register).copied().flatten());
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            // A generated cell starts with its predecessor's final state and its own position (71a).
            let mut next = last.clone();
            if let Some(position) = self.weights.position.and_then(|register| next.get_mut(register)) {
                *position = self.weights.positions.get(finished.len() + 1).copied().map(ValueId);
            }
            entering.push(next);
        };
        Ok(Run { output, stopped, states: finished })
    }
}

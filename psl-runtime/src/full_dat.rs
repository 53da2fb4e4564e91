//! The discrete-attention-only transformer: runs the weights (70)-(71), App. F, in any of the embeddings (69).
//!
//! Only tensors: a symbol, a position or any other value is a vector, one-hot or dense. What the weights' blocks and biases
//! are is table (72), at [`Kind`](crate::weights::Kind). Keys and values of earlier cells stay in a cache, one entry for
//! every layer and every pass of the repeat blocks around it; a cell that needed fewer passes stands there with its last
//! one.

mod attention;
mod basis;
mod forward;
mod load;
mod space;

use crate::input::Input;
use crate::limits::{Limits, Meter};
use crate::machine::{Machine, Observer, Run, RunError, Stopped};
use crate::vocabulary::ValueId;
use crate::weights::Weights;
use forward::Forward;
use load::{Loader, Node};
pub use space::Embedding;
use space::Space;

/// The discrete-attention-only transformer.
#[derive(Debug)]
pub struct FullDat<'w> {
    weights: &'w Weights,
    space: Space,
    nodes: Vec<Node>,
    layers: usize,
    repeats: usize,
}

impl<'w> FullDat<'w> {
    /// The most dense vectors of values, d, or of registers, R: a basis of d takes some d^3 operations to make.
    pub const MAX_DENSE: usize = 1024;

    /// Loads the weights as they are.
    ///
    /// Errors: those of [`FullDat::embedded`].
    pub fn new(weights: &'w Weights, limits: &Limits) -> Result<Self, RunError> {
        Self::embedded(weights, Embedding::Local, limits)
    }

    /// Loads the weights in an embedding: equal to the local one but for an orthogonal change of basis.
    ///
    /// Errors: dense vectors of more than [`FullDat::MAX_DENSE`] components; a caller that cancels, or too much work.
    pub fn embedded(weights: &'w Weights, embedding: Embedding, limits: &Limits) -> Result<Self, RunError> {
        let dimension = weights.dimension.max(weights.registers.len());
        if embedding != Embedding::Local && dimension > Self::MAX_DENSE {
            return Err(RunError::TooDense { dimension, max_dense: Self::MAX_DENSE });
        }
        let mut meter = Meter::new(limits);
        let space = Space::new(weights, embedding, &mut meter)?;
        let mut loader = Loader::new(&space, meter);
        let nodes = loader.nodes(&weights.blocks)?;
        let (layers, repeats) = (loader.layers, loader.repeats);
        Ok(Self { weights, space, nodes, layers, repeats })
    }

    /// The residual stream of one generated cell as it enters the first layer: its predecessor's last one, at its own
    /// position (71a).
    fn generated(&self, predecessor: &[f32], number: usize) -> Vec<f32> {
        let mut state = self.space.decode(predecessor);
        if let Some(position) = self.weights.position.and_then(|register| state.get_mut(register)) {
            *position = self.weights.positions.get(number).copied().map(ValueId);
        }
        self.space.embed(&state)
    }
}

impl Machine for FullDat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let cell_size = self.space.cell_size();
        Meter::new(limits).keep(input.cells.len().saturating_mul(cell_size))?;
        let mut entering: Vec<f32> = input.cells.iter().flat_map(|cell| self.space.embed(cell)).collect();
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
            let last = finished.rchunks_exact(cell_size).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = self.weights.output.and_then(|register| self.space.read(last, register));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            let number = finished.len() / cell_size + 1;
            entering.extend(self.generated(last, number));
        };
        let states = finished.chunks_exact(cell_size).map(|cell| self.space.decode(cell)).collect();
        Ok(Run { output, stopped, states })
    }
}

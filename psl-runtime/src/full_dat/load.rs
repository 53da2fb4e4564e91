//! The weights as the machine holds them: numbered, and in the basis of the embedding.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::basis::weighted_sum;
use super::space::Space;
use crate::weights::{Affine, Block, Layer, Matching, Matrix, WeightBlock};

/// A block with its index among the layers or among the repeat blocks.
#[derive(Debug)]
pub(super) enum Node {
    Layer(usize, Layer),
    Repeat { index: usize, label: Option<String>, until: Option<Matching>, body: Vec<Node> },
}

pub(super) struct Loader<'s> {
    space: &'s Space,
    pub(super) layers: usize,
    pub(super) repeats: usize,
    /// The few different matrices, by their address in the local weights.
    matrices: FxHashMap<*const Matrix, Arc<Matrix>>,
}

impl<'s> Loader<'s> {
    pub(super) fn new(space: &'s Space) -> Self {
        Self { space, layers: 0, repeats: 0, matrices: FxHashMap::default() }
    }

    pub(super) fn nodes(&mut self, blocks: &[Block]) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(blocks.len());
        for block in blocks {
            nodes.push(match block {
                Block::Layer(layer) => {
                    self.layers += 1;
                    Node::Layer(self.layers - 1, self.layer(layer))
                }
                Block::Repeat(repeat) => {
                    self.repeats += 1;
                    Node::Repeat {
                        index: self.repeats - 1,
                        label: repeat.label.clone(),
                        until: repeat.until.as_ref().map(|until| self.matching(until)),
                        body: self.nodes(&repeat.blocks),
                    }
                }
            });
        }
        nodes
    }

    fn layer(&mut self, layer: &Layer) -> Layer {
        Layer {
            label: layer.label.clone(),
            matching: self.matching(&layer.matching),
            value: self.affine(&layer.value),
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
        }
    }

    fn matching(&mut self, matching: &Matching) -> Matching {
        Matching { query: self.affine(&matching.query), key: self.affine(&matching.key), count: matching.count }
    }

    /// The map between fillers instead of one-hot vectors. Roles are no part of it: it reads one register and writes
    /// another.
    fn affine(&mut self, map: &Affine) -> Affine {
        let Some(fillers) = &self.space.fillers else { return map.clone() };
        let block = |block: &WeightBlock| WeightBlock { matrix: self.matrix(&block.matrix), ..block.clone() };
        let weights = map.weights.iter().map(block).collect();
        let biases = map.bias.chunks_exact(self.space.dimension);
        Affine {
            targets: map.targets.clone(),
            weights,
            bias: biases.flat_map(|bias| fillers.vector_of(bias)).collect(),
        }
    }

    /// P^T M P for a matrix M between one-hot vectors, the rows of P being the fillers.
    fn matrix(&mut self, matrix: &Arc<Matrix>) -> Arc<Matrix> {
        let Some(fillers) = &self.space.fillers else { return Arc::clone(matrix) };
        let embedded = || {
            let dimension = self.space.dimension;
            let mut images = vec![0.0; dimension * dimension];
            for (value, image) in images.chunks_exact_mut(dimension).enumerate() {
                for &(column, weight) in matrix.row(value) {
                    let filler = fillers.vector(column as usize);
                    image.iter_mut().zip(filler).for_each(|(sum, component)| *sum += weight * component);
                }
            }
            let row = |component| {
                let column: Vec<f32> =
                    (0..dimension).filter_map(|value| fillers.vector(value).get(component).copied()).collect();
                (0_u32..).zip(weighted_sum(&column, &images, dimension))
            };
            Arc::new(Matrix::new((0..dimension).map(row)))
        };
        Arc::clone(self.matrices.entry(Arc::as_ptr(matrix)).or_insert_with(embedded))
    }
}

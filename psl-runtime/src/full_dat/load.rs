//! The weights as the machine runs them: numbered, and in the basis of the embedding.

use std::{borrow::Cow, ops::Range, sync::Arc};

use psl_syntax::program::ProductionId;
use rustc_hash::FxHashMap;

use super::{
    basis::{Basis, PER_COMPARISON, weighted_sum},
    space::Space,
};
use crate::{
    heads::LayerId,
    meter::Meter,
    run_error::RunError,
    weights::{Affine, Bias, HeadWeights, Matching, Matrix, WeightBlock, WeightsBlock, layers},
};

/// A layer or a repeat block.
#[derive(Debug)]
pub(super) enum Node<'w> {
    Layer(LayerNode<'w>),
    Repeat(Repeat<'w>),
}

#[derive(Debug)]
pub(super) struct LayerNode<'w> {
    pub(super) id: LayerId,
    pub(super) heads: Vec<(ProductionId, Cow<'w, HeadWeights>)>,
}

#[derive(Debug)]
pub(super) struct Repeat<'w> {
    /// The block's index among the repeat blocks.
    pub(super) index: usize,
    pub(super) label: Option<String>,
    /// `None` for `NO_CHANGE`.
    pub(super) until: Option<Cow<'w, Matching>>,
    pub(super) body: Vec<Node<'w>>,
    /// The block's heads, with those of the blocks inside it.
    pub(super) heads: Range<ProductionId>,
}

pub(super) struct Loader<'s, 'l> {
    space: &'s Space,
    meter: Meter<'l>,
    layers: usize,
    pub(super) heads: usize,
    pub(super) repeats: usize,
    /// The distinct matrices, by their address in the local weights.
    matrices: FxHashMap<*const Matrix, Arc<Matrix>>,
}

impl<'s, 'l> Loader<'s, 'l> {
    pub(super) fn new(space: &'s Space, meter: Meter<'l>) -> Self {
        Self { space, meter, layers: 0, heads: 0, repeats: 0, matrices: FxHashMap::default() }
    }

    pub(super) fn nodes<'w>(&mut self, blocks: &'w [WeightsBlock]) -> Result<Vec<Node<'w>>, RunError> {
        let mut nodes = Vec::with_capacity(blocks.len());
        for entry in layers(blocks) {
            nodes.push(match entry {
                [WeightsBlock::Repeat(repeat)] => {
                    self.repeats += 1;
                    let (index, first) = (self.repeats - 1, ProductionId::new(self.heads));
                    let until = repeat.until.as_ref().map(|until| self.matching(until)).transpose()?;
                    let body = self.nodes(&repeat.blocks)?;
                    let heads = first..ProductionId::new(self.heads);
                    Node::Repeat(Repeat { index, label: repeat.label.clone(), until, body, heads })
                }
                heads => {
                    let id = LayerId::new(self.layers);
                    self.layers += 1;
                    let mut head = |head| {
                        let id = ProductionId::new(self.heads);
                        self.heads += 1;
                        Ok((id, self.head(head)?))
                    };
                    let heads =
                        heads.iter().filter_map(WeightsBlock::layer).map(&mut head).collect::<Result<_, _>>()?;
                    Node::Layer(LayerNode { id, heads })
                }
            });
        }
        Ok(nodes)
    }

    /// One-hot vectors do not change the weights.
    fn head<'w>(&mut self, layer: &'w HeadWeights) -> Result<Cow<'w, HeadWeights>, RunError> {
        let Some(fillers) = &self.space.fillers else { return Ok(Cow::Borrowed(layer)) };
        Ok(Cow::Owned(HeadWeights {
            label: layer.label.clone(),
            matching: self.matching(&layer.matching)?.into_owned(),
            value: self.affine(fillers, &layer.value)?,
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
            shares_layer: layer.shares_layer,
        }))
    }

    fn matching<'w>(&mut self, matching: &'w Matching) -> Result<Cow<'w, Matching>, RunError> {
        let Some(fillers) = &self.space.fillers else { return Ok(Cow::Borrowed(matching)) };
        let (query, key) = (self.affine(fillers, &matching.query)?, self.affine(fillers, &matching.key)?);
        Ok(Cow::Owned(Matching { query, key, count: matching.count }))
    }

    /// The map between fillers instead of one-hot vectors. Roles are not part of it, because it reads one register and
    /// writes another.
    fn affine(&mut self, fillers: &Basis, map: &Affine) -> Result<Affine, RunError> {
        let mut bias = Vec::with_capacity(map.bias.len());
        for one_hot in &map.bias {
            self.meter.worked(self.space.dimension * self.space.dimension / PER_COMPARISON)?;
            bias.push(Bias::of(&fillers.vector_of(&one_hot.dense())));
        }
        let mut weights = Vec::with_capacity(map.weights.len());
        for block in &map.weights {
            weights.push(WeightBlock { matrix: self.matrix(fillers, &block.matrix)?, ..block.clone() });
        }
        Ok(Affine { targets: map.targets.clone(), weights, bias })
    }

    /// P^T M P for a matrix M between one-hot vectors. The rows of P are the fillers.
    fn matrix(&mut self, fillers: &Basis, matrix: &Arc<Matrix>) -> Result<Arc<Matrix>, RunError> {
        if let Some(embedded) = self.matrices.get(&Arc::as_ptr(matrix)) {
            return Ok(Arc::clone(embedded));
        }
        let dimension = self.space.dimension;
        let mut images = vec![0.0; dimension * dimension];
        for (value, image) in images.chunks_exact_mut(dimension).enumerate() {
            for &(column, weight) in matrix.row(value) {
                let filler = fillers.vector(column as usize);
                image.iter_mut().zip(filler).for_each(|(sum, component)| *sum += weight * component);
            }
        }
        let mut embedded = Matrix::default();
        for component in 0..dimension {
            self.meter.worked(dimension * dimension / PER_COMPARISON)?;
            let column: Vec<f32> =
                (0..dimension).filter_map(|value| fillers.vector(value).get(component).copied()).collect();
            embedded.push((0_u32..).zip(weighted_sum(&column, &images, dimension)));
        }
        let embedded = Arc::new(embedded);
        self.matrices.insert(Arc::as_ptr(matrix), Arc::clone(&embedded));
        Ok(embedded)
    }
}

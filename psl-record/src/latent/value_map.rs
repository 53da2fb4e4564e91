//! The map that a code selects.

use std::collections::BTreeMap;

use psl_runtime::{
    ValueId,
    weights::{Affine, Matrix},
};

/// An affine map between vectors of the residual stream: the sum of the value maps of a code's heads.
#[derive(Debug)]
pub(super) struct ValueMap {
    /// The number of components of a register.
    dimension: usize,
    /// The d x d blocks, by the register read and the register written.
    blocks: BTreeMap<(usize, usize), Matrix>,
    /// The nonzero components of the bias, by their index in the residual stream.
    bias: BTreeMap<usize, f32>,
}

impl ValueMap {
    /// The sum of these maps.
    pub(super) fn sum<'w>(maps: impl IntoIterator<Item = &'w Affine>, dimension: usize) -> Self {
        let mut sum = Self { dimension, blocks: BTreeMap::new(), bias: BTreeMap::new() };
        for map in maps {
            for block in &map.weights {
                let Some(target) = map.targets.get(block.target) else { continue };
                let entry = sum.blocks.entry((block.source, *target));
                entry
                    .and_modify(|other| *other = added(other, &block.matrix))
                    .or_insert_with(|| block.matrix.as_ref().clone());
            }
            for (target, bias) in map.targets.iter().zip(&map.bias) {
                for (component, weight) in bias.other_than(0.0) {
                    *sum.bias.entry(target * dimension + component as usize).or_default() += weight;
                }
            }
        }
        sum
    }

    /// Applies the map to the one-hot vector of a state and adds the result to a vector of the residual stream.
    pub(super) fn add(&self, state: &[Option<ValueId>], total: &mut [f32]) {
        let mut add = |component: usize, weight: f32| {
            if let Some(sum) = total.get_mut(component) {
                *sum += weight;
            }
        };
        for (component, weight) in &self.bias {
            add(*component, *weight);
        }
        for ((source, target), matrix) in &self.blocks {
            let Some(ValueId(value)) = state.get(*source).copied().flatten() else { continue };
            for (column, weight) in matrix.row(value as usize) {
                add(target * self.dimension + *column as usize, *weight);
            }
        }
    }
}

/// The sum of two matrices.
fn added(left: &Matrix, right: &Matrix) -> Matrix {
    Matrix::new((0..left.rows().max(right.rows())).map(|row| {
        let mut sums = BTreeMap::<u32, f32>::new();
        for (column, weight) in left.row(row).iter().chain(right.row(row)) {
            *sums.entry(*column).or_default() += weight;
        }
        sums
    }))
}

//! The map that a code selects.

use std::{collections::BTreeMap, sync::Arc};

use psl_runtime::{
    ValueId,
    weights::{Affine, Matrix},
};

/// The nonzero components of a vector of the residual stream, by register and value. The others are zero.
pub(super) type Total = BTreeMap<(usize, u32), f32>;

/// An affine map between vectors of the residual stream: the sum of the value maps of a code's heads.
#[derive(Debug, Default)]
pub(super) struct ValueMap {
    /// The d x d blocks, by the register read and the register written.
    blocks: BTreeMap<(usize, usize), Arc<Matrix>>,
    bias: Total,
}

impl ValueMap {
    /// The sum of these maps.
    pub(super) fn sum<'w>(maps: impl IntoIterator<Item = &'w Affine>) -> Self {
        let mut sum = Self::default();
        for map in maps {
            for block in &map.weights {
                let Some(target) = map.targets.get(block.target) else { continue };
                let entry = sum.blocks.entry((block.source, *target));
                entry
                    .and_modify(|other| *other = Arc::new(added(other, &block.matrix)))
                    .or_insert_with(|| Arc::clone(&block.matrix));
            }
            for (target, bias) in map.targets.iter().zip(&map.bias) {
                for (value, weight) in bias.other_than(0.0) {
                    *sum.bias.entry((*target, value)).or_default() += weight;
                }
            }
        }
        sum
    }

    /// Applies the map to the one-hot vectors of the values that `read` returns for registers, and adds the result to a
    /// total.
    pub(super) fn add(&self, read: impl Fn(usize) -> Option<ValueId>, total: &mut Total) {
        for (component, weight) in &self.bias {
            *total.entry(*component).or_default() += weight;
        }
        for ((source, target), matrix) in &self.blocks {
            let Some(ValueId(value)) = read(*source) else { continue };
            for (column, weight) in matrix.row(value as usize) {
                *total.entry((*target, *column)).or_default() += weight;
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

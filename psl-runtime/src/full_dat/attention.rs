//! The arithmetic of one layer: affine maps, `DATmax`, `DATnorm` (70).

use std::ops::Range;

use psl_syntax::program::CausalAttn;

use super::{largest, one_hot};
use crate::weights::{Affine, Matching, Matrix, nonzero};

/// Keys and values of the first cells: row n belongs to cell n + 1.
#[derive(Clone, Debug, Default)]
pub(super) struct KeysValues {
    pub(super) keys: Matrix,
    pub(super) values: Matrix,
}

impl KeysValues {
    pub(super) fn nonzero(&self) -> usize {
        self.keys.nonzero() + self.values.nonzero()
    }
}

/// Computes i W + b over the registers that the map writes; `input` is a cell of the residual stream.
pub(super) fn apply<'b>(map: &Affine, input: &[f32], dimension: usize, result: &'b mut Vec<f32>) -> &'b [f32] {
    result.clone_from(&map.bias);
    for block in &map.weights {
        let from = input.get(block.source * dimension..(block.source + 1) * dimension);
        let to = result.get_mut(block.target * dimension..(block.target + 1) * dimension);
        if let (Some(from), Some(to)) = (from, to) {
            block.matrix.multiply_add(from, to);
        }
    }
    result
}

/// The cells that a cell sees, of `count`.
pub(super) fn visible(causal_attn: Option<CausalAttn>, cell: usize, count: usize) -> Range<usize> {
    match causal_attn {
        Some(CausalAttn::True) => 0..cell + 1,
        Some(CausalAttn::Reverse) => cell..count,
        Some(CausalAttn::False) | None => 0..count,
    }
}

/// `DATmax`: the leftmost visible cell whose key has the dot product m with the query, or the rightmost (70c-i).
pub(super) fn dat_max(query: &[f32], keys: &Matrix, visible: Range<usize>, count: usize, right: bool) -> Option<usize> {
    let mut cells = visible;
    let matches = |n: &usize| is_match(query, keys.row(*n), count);
    if right { cells.rfind(matches) } else { cells.find(matches) }
}

/// Whether all m conditions are met: each adds one to the raw dot product, or nothing. The sum of few ones is exact.
#[allow(clippy::float_cmp, clippy::cast_precision_loss)]
fn is_match(query: &[f32], key: &[(u32, f32)], count: usize) -> bool {
    let products = key.iter().filter_map(|&(index, component)| Some(component * query.get(index as usize)?));
    products.sum::<f32>() == count as f32
}

/// Whether the query of some cell matches the key of some cell; `stream` has `cell_size` components a cell.
pub(super) fn some_pair_matches(matching: &Matching, stream: &[f32], cell_size: usize, dimension: usize) -> bool {
    let cells = || stream.chunks_exact(cell_size);
    let mut buffer = Vec::new();
    let keys = Matrix::new(cells().map(|cell| {
        apply(&matching.key, cell, dimension, &mut buffer);
        nonzero(&buffer).collect::<Vec<_>>()
    }));
    cells().any(|cell| {
        let query = apply(&matching.query, cell, dimension, &mut buffer);
        dat_max(query, &keys, 0..keys.rows(), matching.count, false).is_some()
    })
}

/// `DATnorm`(input + 2 value): in each register the one-hot vector of the largest component, or zero (70c-iii). A register
/// that the layer does not write is one-hot already.
pub(super) fn add_and_normalize(cell: &mut [f32], map: &Affine, value: &[(u32, f32)], dimension: usize) {
    const KAPPA: f32 = 2.0;
    for &(index, value) in value {
        let (target, component) = (index as usize / dimension, index as usize % dimension);
        let place = map.targets.get(target).map(|register| register * dimension + component);
        if let Some(component) = place.and_then(|place| cell.get_mut(place)) {
            *component += KAPPA * value;
        }
    }
    for register in &map.targets {
        if let Some(block) = cell.get_mut(register * dimension..(register + 1) * dimension) {
            let hot = largest(block);
            one_hot(block, hot.map(|value| value.0));
        }
    }
}

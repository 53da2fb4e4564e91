//! The arithmetic of one layer: affine maps, `DATmax`, `DATnorm` (70).

use std::ops::Range;

use psl_syntax::program::CausalAttn;

use super::space::Space;
use crate::weights::{Affine, Matching, Matrix, nonzero};

impl Space {
    /// Computes i W + b, `cell` being i: block by block from a register read to a register written.
    pub(super) fn apply(&self, map: &Affine, cell: &[f32], result: &mut Vec<f32>) {
        result.clone_from(&map.bias);
        for block in &map.weights {
            let from = self.unbind(cell, block.source);
            if let Some(to) = result.get_mut(block.target * self.dimension..(block.target + 1) * self.dimension) {
                block.matrix.multiply_add(&from, to);
            }
        }
        self.bind(map.targets.iter().copied(), result);
    }

    /// `DATmax`: the leftmost visible cell whose key has the dot product m with the query, or the rightmost (70c-i).
    pub(super) fn dat_max(
        &self,
        query: &[f32],
        keys: &Matrix,
        visible: Range<usize>,
        count: usize,
        right: bool,
    ) -> Option<usize> {
        let mut cells = visible;
        let matches = |n: &usize| self.is_match(query, keys.row(*n), count);
        if right { cells.rfind(matches) } else { cells.find(matches) }
    }

    /// Whether all m conditions are met: each adds one to the raw dot product, or nothing.
    #[allow(clippy::cast_precision_loss)]
    fn is_match(&self, query: &[f32], key: &[(u32, f32)], count: usize) -> bool {
        let product = |&(index, key): &(u32, f32)| Some(f64::from(key) * f64::from(*query.get(index as usize)?));
        (key.iter().filter_map(product).sum::<f64>() - count as f64).abs() <= f64::from(self.tolerance())
    }

    /// Whether the query of some cell matches the key of some cell.
    pub(super) fn some_pair_matches(&self, matching: &Matching, stream: &[f32]) -> bool {
        let cells = || stream.chunks_exact(self.cell_size());
        let mut buffer = Vec::new();
        let keys = Matrix::new(cells().map(|cell| {
            self.apply(&matching.key, cell, &mut buffer);
            nonzero(&buffer).collect::<Vec<_>>()
        }));
        cells().any(|cell| {
            self.apply(&matching.query, cell, &mut buffer);
            self.dat_max(&buffer, &keys, 0..keys.rows(), matching.count, false).is_some()
        })
    }

    /// Adds a multiple of an attribute's vector to a cell.
    pub(super) fn add(&self, cell: &mut [f32], factor: f32, map: &Affine, vector: &[(u32, f32)]) {
        for &(index, component) in vector {
            if let Some(sum) = self.place(map, index as usize).and_then(|place| cell.get_mut(place)) {
                *sum += factor * component;
            }
        }
    }

    /// `DATnorm`(i + 2 v): in each register the filler closest to what is there, or zero (70c-iii); App. L, note 27.
    pub(super) fn add_and_normalize(&self, cell: &mut [f32], map: &Affine, value: &[(u32, f32)]) {
        const KAPPA: f32 = 2.0;
        self.add(cell, KAPPA, map, value);
        if self.registers_are_apart() {
            // Those that the layer does not write are as they were.
            for &register in &map.targets {
                let value = self.read(cell, register);
                if let Some(block) = cell.get_mut(register * self.dimension..(register + 1) * self.dimension) {
                    self.fill(block, value);
                }
            }
        } else {
            cell.copy_from_slice(&self.embed(&self.decode(cell)));
        }
    }
}

/// The cells that a cell sees, of `count`.
pub(super) fn visible(causal_attn: Option<CausalAttn>, cell: usize, count: usize) -> Range<usize> {
    match causal_attn {
        Some(CausalAttn::True) => 0..cell + 1,
        Some(CausalAttn::Reverse) => cell..count,
        Some(CausalAttn::False) | None => 0..count,
    }
}

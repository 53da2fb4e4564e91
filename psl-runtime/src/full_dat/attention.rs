//! The arithmetic of one layer: affine maps, `DATmax`, `DATnorm` (70).

use std::ops::Range;

use psl_syntax::program::CausalAttn;

use super::{basis::PER_COMPARISON, space::Space};
use crate::{
    meter::Meter,
    run_error::RunError,
    vocabulary::ValueId,
    weights::{Affine, Matching, Matrix, nonzero},
};

/// The factor of the value in `DATnorm`(i + 2 v): it outweighs the register's former value.
pub(super) const KAPPA: f32 = 2.0;

impl Space {
    /// Computes i W + b for the cell i, block by block from a register read to a register written.
    pub(super) fn apply(&self, map: &Affine, cell: &[f32], result: &mut Vec<f32>) {
        result.clear();
        for bias in &map.bias {
            bias.add_to(result);
        }
        for block in &map.weights {
            let from = self.unbind(cell, block.source);
            if let Some(to) = result.get_mut(block.target * self.dimension..(block.target + 1) * self.dimension) {
                block.matrix.multiply_add(&from, to);
            }
        }
        self.bind(map.targets.iter().copied(), result);
    }

    /// `DATmax`: the leftmost or rightmost visible cell whose key has the dot product m with the query (70c-i).
    pub(super) fn dat_max(
        &self,
        query: &[f32],
        keys: &Matrix,
        visible: Range<usize>,
        count: usize,
        right: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, RunError> {
        let mut cells = visible;
        while let Some(n) = if right { cells.next_back() } else { cells.next() } {
            let key = keys.row(n);
            meter.worked(1 + key.len() / 2)?;
            if self.is_match(query, key, count) {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The work of applying a map to a cell, in comparisons.
    pub(super) fn work(&self, map: &Affine) -> usize {
        // A one-hot vector has only one component to multiply.
        let products = if self.fillers.is_some() { map.weights.iter().map(|it| it.matrix.nonzero()).sum() } else { 0 };
        let components = map.bias.len() * self.dimension + map.weights.len() * self.work_of_unbinding();
        // With dense roles, each filler contributes to every component.
        let binding = if self.registers_are_apart() { 0 } else { map.targets.len() * self.cell_size() };
        1 + (components + products + binding) / PER_COMPARISON
    }

    /// The work of [`Space::add_and_normalize`], in comparisons.
    pub(super) fn work_of_writing(&self, map: &Affine) -> usize {
        if self.registers_are_apart() {
            1 + map.targets.len() * self.work_of_reading() / PER_COMPARISON
        } else {
            // All registers are read and bound again.
            self.work_of_decoding() + self.state_registers * self.cell_size() / PER_COMPARISON
        }
    }

    /// The work of reading all registers of a cell, in comparisons.
    pub(super) fn work_of_decoding(&self) -> usize {
        1 + self.state_registers * self.work_of_reading() / PER_COMPARISON
    }

    /// The work of reading a register, in components.
    fn work_of_reading(&self) -> usize {
        self.work_of_unbinding() + self.fillers.as_ref().map_or(0, |_| self.dimension * self.dimension)
    }

    /// The work of finding the filler of a register, in components.
    fn work_of_unbinding(&self) -> usize {
        if self.registers_are_apart() { self.dimension } else { self.cell_size() }
    }

    /// Whether all m conditions hold. Each adds one or zero to the dot product.
    #[allow(clippy::cast_precision_loss)]
    fn is_match(&self, query: &[f32], key: &[(u32, f32)], count: usize) -> bool {
        let product = |&(index, key): &(u32, f32)| Some(f64::from(key) * f64::from(*query.get(index as usize)?));
        (key.iter().filter_map(product).sum::<f64>() - count as f64).abs() <= f64::from(self.tolerance())
    }

    /// Whether the query of some cell matches the key of some cell.
    pub(super) fn some_pair_matches(
        &self,
        Matching { query, key, count }: &Matching,
        stream: &[f32],
        meter: &mut Meter<'_>,
    ) -> Result<bool, RunError> {
        let mut buffer = Vec::new();
        let mut keys = Matrix::default();
        for cell in stream.chunks_exact(self.cell_size()) {
            meter.worked(self.work(key))?;
            self.apply(key, cell, &mut buffer);
            keys.push(nonzero(&buffer));
        }
        for cell in stream.chunks_exact(self.cell_size()) {
            meter.worked(self.work(query))?;
            self.apply(query, cell, &mut buffer);
            if self.dat_max(&buffer, &keys, 0..keys.rows(), *count, false, meter)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a multiple of an attribute's vector to a cell.
    pub(super) fn add(&self, cell: &mut [f32], factor: f32, map: &Affine, vector: &[(u32, f32)]) {
        for &(index, component) in vector {
            if let Some(sum) = self.place(map, index as usize).and_then(|place| cell.get_mut(place)) {
                *sum += factor * component;
            }
        }
    }

    /// `DATnorm`(i + 2 v): replaces each register by the closest filler, or zero (70c-iii); App. L, note 27. With
    /// several heads h, each of which attends to the cell `α_h(N)`, we compute
    /// `o[N] = DATnorm(i[N] + κ Σ_h v_h[α_h(N)])`, where κ = 2, and `v_h` is zero if there is no such cell. The paper
    /// (90a) is prose.
    pub(super) fn add_and_normalize(&self, cell: &mut [f32], values: &[(&Affine, &[(u32, f32)])]) {
        for (map, value) in values {
            self.add(cell, KAPPA, map, value);
        }
        if self.registers_are_apart() {
            // The registers that the layer does not write do not change.
            for &register in values.iter().flat_map(|(map, _)| &map.targets) {
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

impl Space {
    /// The first register in which the sum of the heads' values has several fillers, and these, ascending.
    pub(super) fn conflict(&self, values: &[(&Affine, &[(u32, f32)])]) -> Option<(usize, Vec<ValueId>)> {
        let mut sum = vec![0.0; self.cell_size()];
        for (map, value) in values {
            self.add(&mut sum, 1.0, map, value);
        }
        let mut registers: Vec<usize> = values.iter().flat_map(|(map, _)| map.targets.iter().copied()).collect();
        registers.sort_unstable();
        registers.dedup();
        let fillers = registers.into_iter().map(|register| (register, self.fillers_of(&sum, register)));
        fillers.into_iter().find(|(_, fillers)| fillers.len() > 1)
    }
}

/// The cells that a cell sees, out of `count`.
pub(super) fn visible(causal_attn: Option<CausalAttn>, cell: usize, count: usize) -> Range<usize> {
    match causal_attn {
        Some(CausalAttn::True) => 0..cell + 1,
        Some(CausalAttn::Reverse) => cell..count,
        Some(CausalAttn::False) | None => 0..count,
    }
}

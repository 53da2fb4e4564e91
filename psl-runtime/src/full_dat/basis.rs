//! Dense orthonormal bases.

use std::iter;

use psl_syntax::index::at;
use rand::{RngExt, rngs::ChaCha8Rng};

use crate::{meter::Meter, run_error::RunError};

/// The number of adjacent components that can be added or multiplied in about the time of a comparison.
pub(super) const PER_COMPARISON: usize = 4;

/// An orthonormal basis.
#[derive(Debug)]
pub(super) struct Basis {
    size: usize,
    /// The vectors, concatenated.
    components: Vec<f32>,
}

impl Basis {
    /// Orthonormalizes random vectors one by one (Gram-Schmidt). A vector close to the span of its predecessors would
    /// be left with mostly rounding error after one round. After the second, it is orthogonal to them within the
    /// precision of f64.
    pub(super) fn random(size: usize, rng: &mut ChaCha8Rng, meter: &mut Meter<'_>) -> Result<Self, RunError> {
        let mut vectors: Vec<Vec<f64>> = Vec::with_capacity(size);
        while vectors.len() < size {
            let mut vector: Vec<f64> = iter::repeat_with(|| rng.random_range(-1.0..1.0)).take(size).collect();
            for other in vectors.iter().chain(&vectors) {
                meter.worked(1 + size / PER_COMPARISON)?;
                let along: f64 = vector.iter().zip(other).map(|(left, right)| left * right).sum();
                vector.iter_mut().zip(other).for_each(|(component, other)| *component -= along * other);
            }
            let length = vector.iter().map(|component| component * component).sum::<f64>().sqrt();
            if length > 1e-6 {
                vectors.push(vector.into_iter().map(|component| component / length).collect());
            }
        }
        Ok(Self { size, components: vectors.into_iter().flatten().map(|component| component as f32).collect() })
    }

    /// The number of vectors.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// One of the vectors.
    pub(super) fn vector(&self, index: usize) -> &[f32] {
        at(&self.components, index * self.size..(index + 1) * self.size)
    }

    /// The vector with these coordinates.
    pub(super) fn vector_of(&self, coordinates: &[f32]) -> Vec<f32> {
        weighted_sum(coordinates, &self.components, self.size)
    }

    /// The coordinates of a vector: its dot products with the basis.
    pub(super) fn coordinates_of(&self, vector: &[f32]) -> Vec<f32> {
        let dot = |basis: &[f32]| basis.iter().zip(vector).map(|(left, right)| left * right).sum();
        self.components.chunks_exact(self.size).map(dot).collect()
    }
}

/// The weighted sum of the blocks, each of `size` components.
pub(super) fn weighted_sum(weights: &[f32], blocks: &[f32], size: usize) -> Vec<f32> {
    let mut sum = vec![0.0; size];
    for (weight, block) in weights.iter().zip(blocks.chunks_exact(size)).filter(|(weight, _)| **weight != 0.0) {
        sum.iter_mut().zip(block).for_each(|(sum, component)| *sum += weight * component);
    }
    sum
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;

    use super::{Basis, ChaCha8Rng, Meter};
    use crate::limits::Limits;

    #[test]
    fn random_vectors_are_orthonormal() {
        let limits = Limits::unlimited();
        for size in [1, 2, 200] {
            let basis = Basis::random(size, &mut ChaCha8Rng::seed_from_u64(0), &mut Meter::new(&limits)).unwrap();
            for index in 0..size {
                for (other, dot) in basis.coordinates_of(basis.vector(index)).into_iter().enumerate() {
                    let expected = if index == other { 1.0 } else { 0.0 };
                    assert!((dot - expected).abs() < 1e-6, "{index} . {other} = {dot}");
                }
            }
        }
    }
}

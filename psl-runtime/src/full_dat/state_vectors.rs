//! The vectors of states in the residual stream, for pictures of it.

use super::{
    attention::KAPPA,
    space::{Embedding, Space},
};
use crate::{
    input::State,
    limits::Limits,
    meter::Meter,
    run_error::RunError,
    vocabulary::ValueId,
    weights::{Affine, Weights, nonzero},
};

/// Converts states to vectors and back, in one embedding.
#[derive(Debug)]
pub struct StateVectors {
    space: Space,
}

impl StateVectors {
    /// Makes the vectors of registers and values. Dense ones take about d^3 operations.
    ///
    /// # Errors
    ///
    /// Dense vectors of more than [`FullDat::MAX_DENSE`](super::FullDat::MAX_DENSE) components.
    pub fn new(weights: &Weights, embedding: Embedding) -> Result<Self, RunError> {
        Ok(Self { space: Space::new(weights, embedding, &mut Meter::new(&Limits::unlimited()))? })
    }

    /// One-hot vectors of this many registers, each with d values.
    pub fn of_registers(registers: usize, d: usize) -> Self {
        Self { space: Space::of_registers(registers, d) }
    }

    /// The number of components of a vector: d for each register that holds state, or for each of all R registers if
    /// roles are dense.
    pub fn size(&self) -> usize {
        self.space.cell_size()
    }

    /// The vector of a state.
    pub fn embed(&self, state: &[Option<ValueId>]) -> Vec<f32> {
        self.space.embed(state)
    }

    /// The state closest to a vector.
    pub fn decode(&self, vector: &[f32]) -> State {
        self.space.decode(vector)
    }

    /// Adds the value of the cell attended to, by a layer's value map, to the sum over the heads of a layer. The map is
    /// in the local embedding, and so must be these vectors.
    pub fn add_value(&self, map: &Affine, attended: &[f32], total: &mut [f32]) {
        let mut value = Vec::new();
        self.space.apply(map, attended, &mut value);
        let value: Vec<(u32, f32)> = nonzero(&value).collect();
        self.space.add(total, 1.0, map, &value);
    }

    /// The state of a cell after a layer: `DATnorm`(i + 2 v) for the layer's input i and the sum v over its heads
    /// (70c-iii).
    pub fn after(&self, input: &[f32], total: &[f32]) -> State {
        let sum: Vec<f32> = input.iter().zip(total).map(|(input, total)| input + KAPPA * total).collect();
        self.decode(&sum)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::iter;

    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::{Embedding, State, StateVectors, ValueId};
    use crate::{Executable, Options};

    #[test]
    fn vectors_are_those_of_tensor_products() {
        let program = psl_syntax::check(include_str!("../../../examples/pargen.psl")).analysis.program;
        let executable = Executable::new(program);
        let vocabulary = executable.task(&["Q", "a", "A"], &Options::default()).unwrap().vocabulary;
        let weights = executable.weights(&vocabulary);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut state = || -> State {
            let mut value = || Some(ValueId(rng.random_range(0..weights.dimension as u32)));
            let values: State = iter::repeat_with(&mut value).take(weights.state_registers).collect();
            values.into_iter().map(|value| value.filter(|value| value.0 % 4 != 0)).collect()
        };
        let states: Vec<State> = iter::repeat_with(&mut state).take(20).collect();
        for embedding in [Embedding::Local, Embedding::SemiLocal { seed: 1 }, Embedding::Distributed { seed: 2 }] {
            let vectors = StateVectors::new(&weights, embedding).unwrap();
            for state in &states {
                let vector = vectors.embed(state);
                assert_eq!(vector.len(), vectors.size());
                assert_eq!(vectors.decode(&vector), *state, "{embedding:?}");
                for other in &states {
                    // Roles and fillers are orthonormal, so each register with the same value adds 1.
                    let same = |(left, right): (&Option<ValueId>, _)| left.is_some() && left == right;
                    let expected: f32 = state.iter().zip(other).map(|pair| f32::from(u8::from(same(pair)))).sum();
                    let dot: f32 = vector.iter().zip(vectors.embed(other)).map(|(left, right)| left * right).sum();
                    assert!((dot - expected).abs() < 1e-3, "{embedding:?}: {dot}, {state:?}, {other:?}");
                }
            }
        }
    }
}

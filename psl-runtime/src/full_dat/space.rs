//! The vectors of registers and values: tensor product representations, (66), (69), App. L.
//!
//! A state is the sum over its registers of the *role* vector of the register times the *filler* vector of its value.
//! With one-hot roles, the sum concatenates the fillers. Primed registers, which are null in every state, are left out.

use std::borrow::Cow;

use psl_syntax::index::at_mut;
use rand::{SeedableRng, rngs::ChaCha8Rng};

use super::basis::{Basis, weighted_sum};
use crate::{
    input::State,
    meter::Meter,
    run_error::RunError,
    vocabulary::ValueId,
    weights::{Affine, Weights, nonzero},
};

/// The embedding of states as vectors. Dense vectors are orthonormal, and the same for the same seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Embedding {
    /// One-hot roles and fillers (66).
    #[default]
    Local,
    /// One-hot roles, so that registers do not overlap, and dense fillers (69a).
    SemiLocal {
        /// The seed of the fillers.
        seed: u64,
    },
    /// Dense roles and fillers: every register uses all components (69b).
    Distributed {
        /// The seed of roles and fillers.
        seed: u64,
    },
}

/// The vectors of R registers and d values.
#[derive(Debug)]
pub(super) struct Space {
    /// The components of a filler, d. At least 1, so that any vector can be divided into fillers.
    pub(super) dimension: usize,
    /// The number of registers that hold state.
    pub(super) state_registers: usize,
    /// R vectors, or `None` if they are one-hot.
    roles: Option<Basis>,
    /// d vectors, or `None` if they are one-hot.
    pub(super) fillers: Option<Basis>,
}

impl Space {
    /// The maximum number of dense vectors of values, d, or of registers, R.
    pub(super) const MAX_DENSE: usize = 1024;

    /// One-hot vectors of this many registers, each with d values.
    pub(super) fn of_registers(state_registers: usize, d: usize) -> Self {
        Self { dimension: d.max(1), state_registers, roles: None, fillers: None }
    }

    /// The vectors of an embedding. Dense vectors take time to make.
    pub(super) fn new(weights: &Weights, embedding: Embedding, meter: &mut Meter<'_>) -> Result<Self, RunError> {
        let local = Self::of_registers(weights.state_registers, weights.dimension);
        let (seed, distributed) = match embedding {
            Embedding::Local => return Ok(local),
            Embedding::SemiLocal { seed } => (seed, false),
            Embedding::Distributed { seed } => (seed, true),
        };
        let (dimension, max_dense) = (weights.dimension.max(weights.registers.len()), Self::MAX_DENSE);
        if dimension > max_dense {
            return Err(RunError::TooDense { dimension, max_dense });
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let fillers = Some(Basis::random(local.dimension, &mut rng, meter)?);
        let roles = distributed.then(|| Basis::random(weights.registers.len(), &mut rng, meter)).transpose()?;
        Ok(Self { roles, fillers, ..local })
    }

    /// The number of components of a cell in the residual stream.
    pub(super) fn cell_size(&self) -> usize {
        (self.roles.as_ref().map_or(self.state_registers, Basis::size) * self.dimension).max(1)
    }

    /// The maximum error of a dot product.
    ///
    /// An orthonormal basis preserves dot products, and those of local vectors are integers: with one-hot vectors,
    /// nothing is rounded. Dense queries and keys are f32 sums of d products with fillers and R with roles. Rounding
    /// errors cancel on average, so each has a relative error of about sqrt(d + R) 2^-24. The products of their
    /// components are summed in f64. With m conditions, some may have up to d ones in the query, others in the key: |q|
    /// |k| <= m d. For d, R <= 1024 the error is about 2 * 45 * 2^-24 * 1024 m = 0.006 m, which is below one half for m
    /// up to 80. The coordinates of a filler, 0 to 3, have smaller errors.
    pub(super) const fn tolerance(&self) -> f32 {
        if self.fillers.is_some() { 0.5 } else { 0.0 }
    }

    /// Whether each register has its own components.
    pub(super) const fn registers_are_apart(&self) -> bool {
        self.roles.is_none()
    }

    /// Writes the filler of a value, or zero.
    pub(super) fn fill(&self, filler: &mut [f32], value: Option<ValueId>) {
        filler.fill(0.0);
        let Some(ValueId(value)) = value else { return };
        match &self.fillers {
            Some(basis) => filler.iter_mut().zip(basis.vector(value as usize)).for_each(|(to, from)| *to = *from),
            None => *at_mut(filler, value as usize) = 1.0,
        }
    }

    /// The vector of a state.
    pub(super) fn embed(&self, state: &[Option<ValueId>]) -> Vec<f32> {
        let mut fillers = vec![0.0; (self.state_registers * self.dimension).max(1)];
        for (filler, value) in fillers.chunks_exact_mut(self.dimension).zip(state) {
            self.fill(filler, *value);
        }
        self.bind(0..self.state_registers, &mut fillers);
        fillers
    }

    /// The state closest to a vector.
    pub(super) fn decode(&self, cell: &[f32]) -> State {
        (0..self.state_registers).map(|register| self.read(cell, register)).collect()
    }

    /// The value whose filler is closest to a register's, or `None` if that is zero.
    pub(super) fn read(&self, cell: &[f32], register: usize) -> Option<ValueId> {
        let filler = self.unbind(cell, register);
        match &self.fillers {
            Some(basis) => largest(&basis.coordinates_of(&filler), self.tolerance()),
            None => largest(&filler, self.tolerance()),
        }
    }

    /// The values whose fillers are summed in a register, ascending.
    pub(super) fn fillers_of(&self, cell: &[f32], register: usize) -> Vec<ValueId> {
        let filler = self.unbind(cell, register);
        let coordinates = self.fillers.as_ref().map_or(filler.clone(), |basis| basis.coordinates_of(&filler).into());
        let above = nonzero(&coordinates).filter(|(_, component)| *component > self.tolerance());
        above.map(|(index, _)| ValueId(index)).collect()
    }

    /// Binds each filler to its register and replaces the list by the sum.
    pub(super) fn bind(&self, registers: impl IntoIterator<Item = usize>, fillers: &mut Vec<f32>) {
        let Some(roles) = &self.roles else { return };
        let mut sum = vec![0.0; self.cell_size()];
        for (register, filler) in registers.into_iter().zip(fillers.chunks_exact(self.dimension)) {
            for (role, block) in roles.vector(register).iter().zip(sum.chunks_exact_mut(self.dimension)) {
                block.iter_mut().zip(filler).for_each(|(sum, component)| *sum += role * component);
            }
        }
        *fillers = sum;
    }

    /// The filler in a register of a cell. Weights that no program has may name registers that hold no state: those
    /// have none.
    pub(super) fn unbind<'c>(&self, cell: &'c [f32], register: usize) -> Cow<'c, [f32]> {
        let dimension = self.dimension;
        match &self.roles {
            Some(roles) => Cow::Owned(weighted_sum(roles.vector(register), cell, dimension)),
            None => Cow::Borrowed(cell.get(register * dimension..(register + 1) * dimension).unwrap_or_default()),
        }
    }

    /// The component of a cell that corresponds to a component of an attribute's vector.
    pub(super) fn place(&self, map: &Affine, index: usize) -> Option<usize> {
        if self.roles.is_some() {
            return Some(index);
        }
        let register = map.targets.get(index / self.dimension)?;
        Some(register * self.dimension + index % self.dimension)
    }
}

/// The index of the largest component above the threshold.
fn largest(vector: &[f32], threshold: f32) -> Option<ValueId> {
    let above = nonzero(vector).filter(|(_, component)| *component > threshold);
    above.max_by(|(_, left), (_, right)| left.total_cmp(right)).map(|(index, _)| ValueId(index))
}

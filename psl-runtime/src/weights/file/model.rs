//! Weights with the names that go with them.

use crate::qkvl;
use crate::vocabulary::Vocabulary;
use crate::weights::from_qkvl::weights;
use crate::weights::parameters::Weights;

/// Weights with the names that go with them.
#[derive(Clone, Debug)]
pub struct Model {
    /// The weights.
    pub weights: Weights,
    /// The values: one component of a register's block each.
    pub vocabulary: Vocabulary,
    /// The names of registers and constants, roles and watch list: a program without layers.
    pub names: qkvl::Program,
}

impl Model {
    /// The weights of a program for one vocabulary.
    pub fn new(program: &qkvl::Program, vocabulary: Vocabulary) -> Self {
        let weights = weights(program, &vocabulary);
        Self { weights, vocabulary, names: qkvl::Program { weights: Vec::new(), ..program.clone() } }
    }
}

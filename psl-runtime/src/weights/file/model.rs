//! Weights with their vocabulary and names.

use crate::{
    qkvl,
    vocabulary::Vocabulary,
    weights::{from_qkvl::weights, parameters::Weights},
};

/// Weights with their vocabulary and names.
#[derive(Clone, Debug)]
pub struct Model {
    /// The tensors.
    pub weights: Weights,
    /// The values. Each is one component of a register's block.
    pub vocabulary: Vocabulary,
    /// The names of registers and constants, the roles and the watch list: a program without layers.
    pub names: qkvl::Program,
}

impl Model {
    /// The weights of a program for one vocabulary.
    pub fn new(program: &qkvl::Program, vocabulary: Vocabulary) -> Self {
        let weights = weights(program, &vocabulary);
        Self { weights, vocabulary, names: qkvl::Program { weights: Vec::new(), ..program.clone() } }
    }
}

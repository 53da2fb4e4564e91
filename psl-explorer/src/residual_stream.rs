//! The residual stream: the vector of each cell in an embedding.

use std::ops::Range;

use psl_runtime::{
    CellId, Embedding, Executable, StateVectors, Vocabulary,
    record::{RecordedRun, Time},
};

use crate::{layer_tensors::fits, no_answer::NoAnswer};

/// The embedding of a program's states for one vocabulary, with its basis.
#[derive(Debug)]
pub struct ResidualStream {
    /// d, the number of components of a register.
    pub dimension: usize,
    /// The short names of the registers, block by block. If the roles are dense, each register uses all blocks.
    pub registers: Vec<String>,
    vectors: StateVectors,
}

impl ResidualStream {
    /// Computes the basis.
    ///
    /// # Errors
    ///
    /// Fails if the vocabulary is too large for pictures or for dense vectors.
    pub fn new(executable: &Executable, vocabulary: &Vocabulary, embedding: Embedding) -> Result<Self, NoAnswer> {
        fits(vocabulary)?;
        let weights = executable.weights(vocabulary);
        let vectors = StateVectors::new(&weights, embedding);
        let vectors =
            vectors.map_err(|error| NoAnswer::NoEmbedding(error.message(&executable.registers, vocabulary)))?;
        let blocks = vectors.size() / weights.dimension.max(1);
        let registers = weights.registers.iter().take(blocks).cloned().collect();
        Ok(Self { dimension: weights.dimension, registers, vectors })
    }

    /// The vectors of cells at a time. The run must have that vocabulary.
    pub fn vectors(&self, run: &RecordedRun, time: Time, cells: Range<CellId>) -> Vec<Vec<f32>> {
        CellId::each(cells).map(|cell| self.vectors.embed(&run.state(cell, time))).collect()
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_program::Progress;
    use psl_runtime::MachineKind;

    use super::*;
    use crate::fixture::file;

    #[test]
    fn the_vectors_of_a_run_are_its_states() {
        let file = file(include_str!("../../examples/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let executable = runner.executable();
        let task = runner.task("Q B V D A D V B . Q F V K A").expect("a task");
        let run = runner.record(task, MachineKind::Psm, &Progress::default());
        let embeddings = [(Embedding::Local, 16), (Embedding::Distributed { seed: 0 }, 26)];
        for (embedding, blocks) in embeddings {
            let stream = ResidualStream::new(executable, run.vocabulary(), embedding).expect("a basis");
            assert_eq!((stream.dimension, stream.registers.len()), (run.vocabulary().len(), blocks));
            for time in (0..=run.rows().len()).step_by(7).map(Time::new) {
                let vectors = stream.vectors(&run, time, CellId::new(0)..CellId::new(run.cells()));
                for (vector, cell) in vectors.iter().zip(CellId::first(run.cells())) {
                    assert_eq!(vector.len(), stream.dimension * blocks);
                    assert_eq!(stream.vectors.decode(vector), run.state(cell, time), "{embedding:?}, cell {cell}");
                }
            }
        }
    }

    #[test]
    fn a_dense_embedding_of_many_values_is_refused() {
        let file = file(include_str!("../../examples/induction.psl"));
        let executable = file.runner().expect("it compiles").executable();
        let new = |values, embedding| ResidualStream::new(executable, &Vocabulary::new(&[], &[], values), embedding);
        assert!(new(1_100, Embedding::Local).is_ok());
        let message = new(1_100, Embedding::Distributed { seed: 0 }).expect_err("it is too large").to_string();
        assert!(message.contains("the limit is 1024"), "{message}");
        assert!(new(20_000, Embedding::Local).is_err());
    }
}

//! The vectors of cells in the residual stream.

use psl_record::RecordedRun;
use serde::Serialize;

use crate::residual_stream::ResidualStream;

/// The vectors of some cells at a time.
#[derive(Serialize)]
pub struct Residual<'a> {
    dimension: usize,
    registers: &'a [String],
    values: Vec<&'a str>,
    vectors: Vec<Vec<f32>>,
}

/// The vectors of cells at a time.
pub fn residual<'a>(
    stream: &'a ResidualStream,
    run: &'a RecordedRun,
    time: usize,
    cells: std::ops::Range<usize>,
) -> Residual<'a> {
    Residual {
        dimension: stream.dimension,
        registers: &stream.registers,
        values: run.vocabulary().iter().collect(),
        vectors: stream.vectors(run, time, cells),
    }
}

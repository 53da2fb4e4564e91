//! The vectors of cells in the residual stream.

use psl_runtime::{
    CellId,
    record::{RecordedRun, Time},
};
use serde::Serialize;

use crate::residual_stream::ResidualStream;

/// The vectors of some cells at a time.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Residual<'a> {
    /// d, the number of components of a register.
    dimension: usize,
    /// The short names of the registers, block by block.
    registers: &'a [String],
    /// The vocabulary. In the local embedding, each value has one component of a register, in this order.
    values: Vec<&'a str>,
    /// `vectors[cell][component]`.
    vectors: Vec<Vec<f32>>,
}

pub fn residual<'a>(
    stream: &'a ResidualStream,
    run: &'a RecordedRun,
    time: Time,
    cells: std::ops::Range<CellId>,
) -> Residual<'a> {
    Residual {
        dimension: stream.dimension,
        registers: &stream.registers,
        values: run.vocabulary().iter().collect(),
        vectors: stream.vectors(run, time, cells),
    }
}

//! The fast discrete-attention-only transformer. It has the layers of the full arithmetic, but stores each register as the
//! index of its value, each block of the weights as a map, and finds matches through an index over the keys.
//!
//! Like the full arithmetic, it reads only tensors: [`Maps`] are built from what [`recognize`](crate::weights::recognize)
//! finds in them.
//!
//! # Why it agrees with the full arithmetic
//!
//! Each shortcut is justified in the code that takes it:
//!
//! | shortcut                                                               | justification              |
//! |------------------------------------------------------------------------|----------------------------|
//! | A program's maps are made once and run on any prompt.                  | `executable.rs`, `maps`    |
//! | Affine maps are read as instructions.                                  | `weights/recognize.rs`     |
//! | Instructions become tests of one cell and comparisons of two.          | `dat/conditions.rs`        |
//! | Only some of the cells with the same key are compared.                 | `dat/candidate_pruning.rs` |
//! | The cache keeps an earlier cell's row only for the passes in which it changes. | `dat/kv_cache.rs`  |
//! | In a block of layers, a layer runs again only for cells affected by a change, and a block ends early when nothing changes. | `dat/forward/flat.rs` |
//! | A block with inner blocks takes no shortcut: every pass has its own caches. | `dat/forward/nesting.rs` |
//!
//! `tests/runtime/agreement.rs` compares it with the other machines, cell by cell and layer by layer.

mod candidate_pruning;
mod conditions;
mod forward;
mod forward_step;
mod index;
mod kv_cache;
mod maps;
mod reading;
mod value;
mod value_test;

use crate::{
    input::{Input, State},
    limits::Limits,
    machine::{Machine, Observer, Run, Stopped},
    run_error::RunError,
    vocabulary::ValueId,
};
use forward::Forward;
use reading::Shifts;
use value::{NULL, Value, held};

pub use maps::Maps;

/// The fast discrete-attention-only transformer.
#[derive(Debug)]
pub struct Dat<'m> {
    maps: &'m Maps,
    shifts: Shifts,
}

impl<'m> Dat<'m> {
    /// A machine with these weights for a vocabulary with these positions.
    pub fn new(maps: &'m Maps, positions: &[ValueId]) -> Self {
        Self { maps, shifts: Shifts::new(positions) }
    }

    /// Whether every cell's position is its index throughout the run.
    fn is_pinned(&self, input: &Input) -> bool {
        let Some(register) = self.maps.position.filter(|_| !self.maps.sets_position) else { return false };
        let held = |cell: &State| cell.get(register).copied().flatten().map_or(NULL, |value| value.0);
        (1..).zip(&input.cells).all(|(number, cell)| held(cell) == self.shifts.position(number))
    }
}

impl Machine for Dat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Maps { width, position, output: read_out, .. } = self.maps;
        let mut entering: Vec<Value> = Vec::with_capacity(2 * input.cells.len() * width);
        for cell in &input.cells {
            let held = (0..*width).map(|register| cell.get(register).copied().flatten());
            entering.extend(held.map(|held| held.map_or(NULL, |value| value.0)));
        }
        let mut finished: Vec<Value> = Vec::with_capacity(2 * entering.len());
        let mut forward = Forward::new(self.maps, &self.shifts, limits, observer, self.is_pinned(input));
        let mut output = Vec::new();
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                forward.reset();
            }
            finished.extend_from_slice(forward.forward_step(entering.get(finished.len()..).unwrap_or_default())?);
            let cells = finished.len().checked_div(*width).unwrap_or_default();
            let last = finished.rchunks_exact((*width).max(1)).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = read_out.and_then(|register| held(*last.get(register)?));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            entering.extend_from_slice(last);
            let start = entering.len() - width;
            if let Some(slot) = position.and_then(|register| entering.get_mut(start + register)) {
                *slot = self.shifts.position(cells + 1);
            }
        };
        let states = finished.chunks_exact((*width).max(1)).map(|cell| cell.iter().map(|&value| held(value)).collect());
        Ok(Run { output, stopped, states: states.collect() })
    }
}

//! The fast discrete-attention-only transformer. It has the layers of the full arithmetic, but stores each register as
//! the index of its value, each block of the weights as a map, and finds matches through an index over the keys.
//!
//! Like the full arithmetic, it reads only tensors: [`Maps`] are built from what
//! [`recognize`](crate::weights::recognize) finds in them.
//!
//! # Why it agrees with the full arithmetic
//!
//! Each shortcut is justified in the code that takes it:
//!
//! | shortcut                                                               | justification              |
//! |------------------------------------------------------------------------|----------------------------|
//! | A program's maps are made once and run on any prompt.                  | `layers.rs`, `recognized`  |
//! | Affine maps are read as instructions.                                  | `weights/recognize.rs`     |
//! | Instructions become tests of one cell and comparisons of two.          | `dat/conditions.rs`        |
//! | Tests of 64 cells are operations on words.                             | `dat/columns.rs`           |
//! | Comparisons look up the cells with a value, word by word.              | `dat/index.rs`             |
//! | Keys and values of earlier cells are read from what their registers held at that time. | `dat/history.rs`, `dat/timeline.rs` |
//! | An index over earlier cells has those that passed the tests or, in a block, may pass them in some pass, and then each is tested. | `dat/decode.rs` |
//! | Heads of a layer find their matches one after the other, and then write.   | `dat/heads.rs`         |
//! | In a block, a layer runs again only for cells affected by a change, and a block ends early when nothing changes. | `dat/forward.rs` |
//!
//! `tests/runtime/agreement.rs` compares it with the other machines, cell by cell and layer by layer.

mod bits;
mod columns;
mod conditions;
mod decode;
mod forward;
mod heads;
mod history;
mod index;
mod maps;
mod prefill;
mod reading;
mod search;
mod step;
mod timeline;
mod value;
mod value_test;
mod walk;
mod watches;

use std::{cell::Cell, mem};

use crate::{
    input::{Input, State},
    limits::Limits,
    machine::{Machine, Observer, Run, Stopped},
    run_error::RunError,
    vocabulary::ValueId,
};
use psl_syntax::{index::at, program::RegisterId};
use reading::Shifts;
use step::{DatStep, Scratch};
use value::{NULL, held};
use walk::Walk;

pub use maps::Maps;

thread_local! {
    /// The memory of the last run on this thread, so that a short run allocates nothing.
    static ROOM: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// The most values, of all cells together and of their history, whose memory is kept.
const KEPT: usize = 1 << 16;

/// The fast discrete-attention-only transformer.
#[derive(Debug)]
pub struct Dat<'m> {
    maps: &'m Maps,
    positions: &'m [ValueId],
}

impl<'m> Dat<'m> {
    /// A machine with these weights for a vocabulary with these positions.
    pub fn new(maps: &'m Maps, positions: &'m [ValueId]) -> Self {
        Self { maps, positions }
    }

    /// Whether every cell's position is its index throughout the run.
    fn is_pinned(&self, input: &Input, shifts: &Shifts) -> bool {
        let Some(register) = self.maps.position.filter(|_| !self.maps.sets_position) else { return false };
        let held = |cell: &State| cell.get(register).copied().flatten().map_or(NULL, |value| value.0);
        (1..).zip(&input.cells).all(|(number, cell)| held(cell) == shifts.position(number))
    }

    /// Runs the prompt pass and the generation, and passes each symbol to `accept`, which ends the run by returning
    /// false. For a row, nothing is generated, and the symbols are the values of `answer` in the cells of the prompt.
    /// Returns the work of the run, in comparisons as [`Limits::max_work`] counts them.
    ///
    /// # Errors
    ///
    /// As for [`Machine::run`].
    pub fn generate(
        &self,
        input: &Input,
        limits: &Limits,
        answer: Option<RegisterId>,
        accept: impl FnMut(Option<ValueId>) -> bool,
    ) -> Result<u64, RunError> {
        self.walk(input, limits, None, accept, |_, walk, accept| {
            if let Some(register) = answer {
                for cell in walk.step.scratch.finished.chunks_exact(self.maps.width.max(1)) {
                    if !accept(cell.get(register.index()).copied().and_then(held)) {
                        break;
                    }
                }
            }
            walk.meter.work()
        })
    }

    /// Passes the reason why the generation ended, and the machine after it, to `finish`. The reason is `None` if
    /// `accept` ended it.
    fn walk<T, A: FnMut(Option<ValueId>) -> bool>(
        &self,
        input: &Input,
        limits: &Limits,
        observer: Option<Observer<'_>>,
        mut accept: A,
        finish: impl FnOnce(Option<Stopped>, &Walk<'_, '_>, &mut A) -> T,
    ) -> Result<T, RunError> {
        let Maps { width, position, output: read_out, .. } = self.maps;
        let mut scratch = ROOM.take().unwrap_or_default();
        let mut entering = mem::take(&mut scratch.entering);
        let shifts = mem::take(&mut scratch.shifts).of(self.positions);
        entering.clear();
        scratch.finished.clear();
        for (cell, end) in input.cells.iter().zip((1..).map(|cells| cells * *width)) {
            entering.extend(cell.iter().map(|held| held.map_or(NULL, |value| value.0)));
            entering.resize(end, NULL);
        }
        let keeps = limits.max_new > 1 && !limits.recompute;
        let step = DatStep::new(self.maps, &shifts, self.is_pinned(input, &shifts), keeps, scratch);
        let mut walk = Walk::new(step, limits, observer);
        let mut generated = 0;
        let stopped = loop {
            if limits.recompute {
                walk.step.scratch.finished.clear();
                walk.reset();
            }
            let new = at(&entering, walk.step.scratch.finished.len()..);
            forward::walk_layers(&mut walk, new)?;
            let Scratch { finished, states, .. } = &mut *walk.step.scratch;
            finished.extend_from_slice(states);
            let cells = finished.len().checked_div(*width).unwrap_or_default();
            let last = finished.rchunks_exact((*width).max(1)).next();
            let Some(last) = last.filter(|_| generated < limits.max_new) else { break Some(Stopped::MaxNew) };
            let symbol = read_out.and_then(|register| held(*last.get(register)?));
            generated += 1;
            if !accept(symbol) {
                break None;
            }
            if symbol.is_some() && symbol == limits.stop {
                break Some(Stopped::StopSymbol);
            }
            if generated == limits.max_new {
                break Some(Stopped::MaxNew);
            }
            entering.extend_from_slice(last);
            let start = entering.len() - width;
            if let Some(slot) = position.and_then(|register| entering.get_mut(start + register)) {
                *slot = shifts.position(cells + 1);
            }
        };
        let finished = finish(stopped, &walk, &mut accept);
        let mut scratch = walk.step.scratch;
        if scratch.kept() <= KEPT {
            (scratch.entering, scratch.shifts) = (entering, shifts);
            ROOM.set(Some(scratch));
        }
        Ok(finished)
    }
}

impl Machine for Dat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let mut output = Vec::new();
        let accept = |symbol| {
            output.push(symbol);
            true
        };
        let width = self.maps.width.max(1);
        let (stopped, states) = self.walk(input, limits, observer, accept, |stopped, walk, _| {
            let finished = walk.step.scratch.finished.chunks_exact(width);
            let mut states = vec![State::new(); finished.len()];
            let cells = states.iter_mut().zip(finished);
            cells.for_each(|(state, cell)| state.extend(cell.iter().map(|value| held(*value))));
            (stopped.unwrap_or(Stopped::MaxNew), states)
        })?;
        Ok(Run { output, stopped, states })
    }
}

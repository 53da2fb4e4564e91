//! Layers with several heads: all heads find the cells to attend to in the layer's input, and then all of them write.
//!
//! The heads of a layer share its tick. So the history gives the input of the layer for earlier cells, whichever head
//! reads it. The keys of a generated cell are noted before any head writes.
//!
//! In a block, a head that reads or writes a register that another head of its layer writes is marked by that write,
//! after both have run, and runs again in the next pass. If no register is set by several heads, a head that rests
//! would set what is already there. Otherwise that may be in conflict with what another head sets now, and all heads
//! run for all cells unless all of them rest.

use std::mem;

use psl_syntax::program::RegisterId;

use super::{
    maps::MultiHead,
    value::{NULL, Value},
    walk::Walk,
};
use crate::{
    cell_id::CellId,
    run_error::{Conflict, RunError},
    vocabulary::ValueId,
};

impl Walk<'_, '_> {
    /// Runs a layer with several heads.
    pub(super) fn multi_head(&mut self, layer: &MultiHead) -> Result<(), RunError> {
        self.step.tick += 1;
        let skips = !self.is_observed() && !self.step.path.is_empty();
        if skips && layer.heads.iter().all(|head| self.step.rests(head)) {
            return self.meter.compared(1);
        }
        let again = self.is_observed() || !layer.shared.is_empty();
        if self.step.scratch.by_head.len() < layer.heads.len() {
            self.step.scratch.by_head.resize_with(layer.heads.len(), Default::default);
        }
        for (index, head) in layer.heads.iter().enumerate() {
            self.step.clear_matches();
            if again || !skips || !self.step.rests(head) {
                self.attend(head, again)?;
            }
            self.swap(index);
        }
        self.check_conflict(layer)?;
        for (index, head) in layer.heads.iter().enumerate() {
            self.swap(index);
            self.write(head)?;
            self.swap(index);
        }
        if self.is_observed() {
            for (index, head) in layer.heads.iter().enumerate() {
                self.swap(index);
                self.note_states(head);
                self.swap(index);
            }
            for (index, head) in layer.heads.iter().enumerate() {
                self.swap(index);
                self.observe(head)?;
                self.swap(index);
            }
        }
        Ok(())
    }

    /// Exchanges the current matches with those of a head.
    fn swap(&mut self, index: usize) {
        let scratch = &mut *self.step.scratch;
        if let Some(of_head) = scratch.by_head.get_mut(index) {
            mem::swap(&mut scratch.matches, of_head);
        }
    }

    /// Fails if heads set a register of a cell to different values.
    fn check_conflict(&mut self, layer: &MultiHead) -> Result<(), RunError> {
        let mut sets: Vec<(usize, usize, Value)> = mem::take(&mut self.step.scratch.sets);
        sets.clear();
        for (head, matches) in layer.heads.iter().zip(&self.step.scratch.by_head) {
            if matches.sources.is_empty() || self.is_ablated(head) {
                continue;
            }
            for (place, (register, _)) in head.value.iter().enumerate() {
                if layer.shared.binary_search(register).is_ok() {
                    let values = (0..).map(|source| matches.received(head, place, source));
                    let set = matches.targets.iter().zip(values).filter(|(_, value)| *value != NULL);
                    sets.extend(set.map(|(cell, value)| (cell, *register, value)));
                }
            }
        }
        self.meter.worked(sets.len())?;
        sets.sort_unstable();
        sets.dedup();
        let places = sets.iter().zip(sets.iter().skip(1)).map(|(one, next)| ((one.0, one.1), (next.0, next.1)));
        let conflict = places.filter(|(one, next)| one == next).map(|(place, _)| place).next();
        if let Some((cell, register)) = conflict {
            let of_place = sets.iter().filter(|set| (set.0, set.1) == (cell, register));
            return Err(RunError::Conflict(Box::new(Conflict {
                step: self.number,
                layer: layer.id,
                pass: self.step.path.iter().map(|pass| pass.pass).collect(),
                cell: CellId::new(self.step.first + cell),
                register: RegisterId::new(register),
                values: of_place.map(|set| ValueId(set.2)).collect(),
            })));
        }
        self.step.scratch.sets = sets;
        Ok(())
    }
}

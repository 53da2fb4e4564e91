//! The registers that each layer writes.

use std::collections::{BTreeMap, btree_map::Entry};

use psl_syntax::program::{ProductionId, RegisterId};

/// One layer's writes of one register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub(super) layer: ProductionId,
    /// The number, in the order in which the tracks first appear.
    pub(super) number: u32,
}

/// The tracks of a run.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// The number of each track, by layer and register.
    numbers: BTreeMap<(ProductionId, RegisterId), u32>,
    of_registers: Vec<Vec<Track>>,
}

impl Tracks {
    /// The number of the track of a layer and a register. A new track gets the next number.
    pub(super) fn number(&mut self, layer: ProductionId, register: RegisterId) -> u32 {
        let number = self.numbers.len() as u32;
        match self.numbers.entry((layer, register)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                if self.of_registers.len() <= register.index() {
                    self.of_registers.resize_with(register.index() + 1, Vec::new);
                }
                if let Some(tracks) = self.of_registers.get_mut(register.index()) {
                    tracks.push(Track { layer, number });
                }
                *new.insert(number)
            }
        }
    }

    /// The registers that a layer writes, in ascending order, with the numbers of their tracks.
    pub(super) fn of_layer(&self, layer: ProductionId) -> impl Iterator<Item = (RegisterId, u32)> {
        self.numbers
            .range((layer, RegisterId(0))..=(layer, RegisterId(u32::MAX)))
            .map(|(&(_, register), &number)| (register, number))
    }

    /// The layers that write a register.
    pub(super) fn of_register(&self, register: RegisterId) -> &[Track] {
        self.of_registers.get(register.index()).map_or(&[], Vec::as_slice)
    }
}

//! Forward steps through a program: the prompt's cells together, then each generated cell alone.
//!
//! | file         | runs                                     |
//! |--------------|------------------------------------------|
//! | `nesting.rs` | layers and blocks in order               |
//! | `flat.rs`    | a block of layers                        |
//! | `walk.rs`    | one layer                                |

mod flat;
mod nesting;
mod walk;

use super::{
    maps::{Maps, Node},
    reading::Shifts,
    value::Value,
};
use crate::{limits::Limits, machine::Observer, run_error::RunError};
use nesting::{NodeCache, empty_caches};
use walk::Walk;

pub(super) struct Forward<'m, 'o> {
    nodes: &'m [Node],
    walk: Walk<'m, 'o>,
    /// `None` before the first cell.
    caches: Option<Vec<NodeCache>>,
}

impl<'m, 'o> Forward<'m, 'o> {
    /// `pinned` is whether each cell's position is its index.
    pub(super) fn new(
        maps: &'m Maps,
        shifts: &'m Shifts,
        limits: &'m Limits,
        observer: Option<Observer<'o>>,
        pinned: bool,
    ) -> Self {
        Self { nodes: &maps.nodes, walk: Walk::new(shifts, maps.width, pinned, limits, observer), caches: None }
    }

    /// Empties the caches, so that there are no earlier cells.
    pub(super) fn reset(&mut self) {
        self.caches = None;
        self.walk.step.first = 0;
        self.walk.meter.reset();
    }

    /// Runs all layers for the next cells and returns their registers after the last. The first step has all cells of the
    /// prompt, every later step has one cell.
    ///
    /// Fails if a block does not end or the meter stops the run.
    pub(super) fn forward_step(&mut self, states: &[Value]) -> Result<&[Value], RunError> {
        let Self { nodes, walk, caches } = self;
        walk.meter.check()?;
        walk.step.enter(states);
        let caches = caches.get_or_insert_with(|| empty_caches(nodes, &walk.step));
        nesting::run(walk, nodes, caches)?;
        walk.step_number += 1;
        walk.step.first += walk.step.cells();
        Ok(&walk.step.states)
    }
}

//! The activity of layers: how often each fires, counted without a record.

use psl_syntax::{index::IndexVec, program::ProductionId};

use crate::{cell_id::CellId, trace::Update};

/// The activity of a layer in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The number of cells in which it fired, over all passes.
    pub fired: usize,
    /// The number of those cells N that attended to a cell n > N.
    pub ahead: usize,
    /// The first of them, N and n.
    pub first_ahead: Option<(CellId, CellId)>,
}

impl Activity {
    /// Adds an update to the activity of each layer.
    pub fn count(layers: &mut IndexVec<ProductionId, Self>, update: &Update) {
        if let Some(n) = update.attends {
            let activity = &mut layers[update.layer];
            activity.fired += 1;
            if n > update.cell {
                activity.ahead += 1;
                activity.first_ahead.get_or_insert((update.cell, n));
            }
        }
    }
}

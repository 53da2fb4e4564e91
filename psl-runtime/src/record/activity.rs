//! The activity of layers: how often each fires, counted without a record.

use crate::trace::Update;

/// The activity of a layer in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The number of cells in which it fired, over all passes.
    pub fired: usize,
    /// The number of those cells N that attended to a cell n > N.
    pub ahead: usize,
    /// The first of them, N and n, each 1-based.
    pub first_ahead: Option<(usize, usize)>,
}

impl Activity {
    /// Adds an update to the activity of each layer. Entry i is layer i + 1.
    pub fn count(layers: &mut [Self], update: &Update) {
        let activity = update.layer.checked_sub(1).and_then(|layer| layers.get_mut(layer));
        if let (Some(activity), Some(n)) = (activity, update.attends) {
            activity.fired += 1;
            if n > update.cell {
                activity.ahead += 1;
                activity.first_ahead.get_or_insert((update.cell, n));
            }
        }
    }
}

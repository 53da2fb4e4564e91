//! One forward step of the fast DAT: its cells and their updates by a layer.

mod attend;
mod decode;
mod prefill;
mod rows;
mod step_cells;

pub(super) use step_cells::ForwardStep;

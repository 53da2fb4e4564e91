//! One forward step of the fast DAT: its cells, and how a layer updates them.

mod attend;
mod decode;
mod prefill;
mod rows;
mod step_cells;

pub(super) use step_cells::ForwardStep;

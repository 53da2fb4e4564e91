//! A debugger that goes both ways in time: the places of a recorded run, and the questions that a person asks at each of them.
//!
//! Rows, times, cells, layers and passes are numbered as in [`crate::recorded_run`].

mod place;
mod session;
mod timeline;

pub use place::Place;
pub use session::{DebugPrompt, Debugger, Launch, Step};
pub use timeline::{Moment, Timeline};

//! A debugger that moves forward and backward through the moments of a recorded run ([`psl_runtime::record`]), and
//! answers questions at each of them.
//!
//! ```text
//! Debugger            a recorded run at one of its moments
//! Timeline            the moments of a run, and the movements between them
//! StopSearch          the next moment at which a breakpoint stops
//! scopes, why_text, … the questions at a moment
//! console::Console    the debugger's commands as text
//! ```
//!
//! Invariant: this crate does no I/O. It has no access to terminals, editor protocols, URLs, clocks, the environment or
//! threads; callers pass in what it needs. It compiles to WebAssembly.

mod answers;
mod breakpoint;
mod cell_table;
mod cell_view;
mod condition;
pub mod console;
mod debugged_run;
mod disagreement;
mod effect;
mod error;
mod exception;
mod expression;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
mod fork;
mod frame_start;
mod gold_difference;
mod log_message;
mod read_condition;
mod resume;
mod scopes;
mod search;
mod stack;
mod step_place;
mod stops;
mod timeline;
mod unknown_values;
mod wrong_symbols;

pub use answers::{AnswerLine, from_text, last_text, why_text};
pub use breakpoint::{BreakOn, Breakpoint, HitCount, Values, layer_at};
pub use cell_table::{CellRow, CellTable, CellValue, cell_table};
pub use condition::DebugCondition;
pub use debugged_run::{Debugger, Launch, Moved, Movement};
pub use effect::Effect;
pub use error::DebugError;
pub use exception::{Exception, Fault};
pub use expression::evaluate;
pub use frame_start::start_of_frame;
pub use gold_difference::{GoldDifference, gold_difference};
pub use log_message::LogMessage;
pub use resume::Resumed;
pub use scopes::{Scope, Variable, WatchedRegister, scopes, watched_registers};
pub use search::{Direction, Hit, Search, StopSearch};
pub use stack::{Frame, FrameKind, stack};
pub use step_place::StepPlace;
pub use timeline::{Moment, Timeline};

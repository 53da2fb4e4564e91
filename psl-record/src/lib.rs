//! The recorded run, its questions, and the debugger over it.
//!
//! ```text
//! RecordedRun::record(…)        a run as its changes
//! AllWrites                 its writes, row by row
//! why, origin, history, …   each question: one function in one file
//! latent::pairs, check, …   the codes of the heads of each layer, pair by pair of cells
//! debugger::Debugger            a recorded run at one of its moments
//! debugger::console::Console    the debugger's commands as text
//! ```
//!
//! Invariant: this crate does no I/O. It has no access to terminals, editor protocols, URLs, clocks, the environment or
//! threads; callers pass in what it needs. It compiles to WebAssembly.

pub mod debugger;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
pub mod latent;
mod recorded_run;

pub use recorded_run::{
    AllWrites, CellAttention, CellWrite, Difference, DifferenceKind, Link, LinkKind, Matches, RecordedRun,
    RecordedUpdate, Row, TimedRegister, UpdateDifference, Why, Write, attention, first_difference, history, last_write,
    matches, origin, tested, why,
};

//! The debugger over a recorded run: see [`psl_runtime::record`].
//!
//! ```text
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

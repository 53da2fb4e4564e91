//! Turing machines as PSL, by section 8.1 of the paper.
//!
//! ```text
//! Table::parse(text)              -> the instructions (73), or the errors of its lines
//! Tape                            -> the prompt: a cell for each square
//! TuringProgram::new(&Table, ..)  -> the text: (75) for each instruction, and (76) to (79)
//! simulation::run                 -> the steps of the machine, from a run of that program
//! ```

mod names;
mod program;
pub mod simulation;
mod table;
mod tape;

pub use program::{Test, TuringProgram};
pub use table::{Direction, LineError, Table};
pub use tape::{NoTape, Tape};

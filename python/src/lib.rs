//! The Python package `psl`: another front of the crates that the command line uses. Each method converts its arguments, calls them once
//! and converts the answer.
//!
//! ```text
//! program, options    the class Program, and the options of its runs
//! run                 the class Run
//! recorded, questions a recorded run as arrays, and its questions
//! array               numbers that NumPy reads where they are
//! notebook, explorer  for Jupyter: the pieces of a text, and the explorer's page
//! data, errors        the dataclasses and exceptions, which Python defines
//! pool                threads that Ctrl-C interrupts
//! ```
//!
//! Invariant: no input panics, since a panic in Rust would be an exception that programs do not expect.

mod array;
mod data;
mod errors;
mod explorer;
mod notebook;
mod options;
mod pool;
mod program;
mod questions;
mod recorded;
mod run;

use mimalloc::MiMalloc;

/// The allocator of `psl`: a run allocates and frees much, on all threads at the same time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The module of Rust in the package.
#[pyo3::pymodule]
mod _psl {
    #[pymodule_export]
    use super::{
        explorer::explorer_page,
        notebook::{pieces, static_diagnostics, test_names},
        program::{Program, load, restore},
        run::Run,
    };
}

//! The Python package `psl`: another front of the crates that the command line uses. Each method converts its
//! arguments, calls them once and converts the answer.
//!
//! ```text
//! program, options     the class Program, and the options of its runs
//! handle               the class as data, which other modules hold
//! names, interventions the names of layers and registers, and values set in a run
//! loading, loaded      programs from files and other processes, also in QKVL and weights
//! weights              the weights of a program
//! run                  the class Run
//! recorded, questions  a recorded run as arrays, and its questions
//! patching             the values of one run in another
//! scheduling           productions as the heads of layers
//! proving              proofs about all short prompts
//! searching            fillings and repairs
//! texts, tasks, turing the functions of the other commands
//! notebook, explorer   for Jupyter: the pieces of a text, and the explorer's page
//! numbers              whole numbers as arguments
//! array                numbers that NumPy reads where they are
//! data, errors         the dataclasses and exceptions, which Python defines
//! pool                 threads that Ctrl-C interrupts
//! ```
//!
//! Invariant: no input panics, since a panic in Rust would be an exception that programs do not expect.

mod array;
mod checkpoint;
mod data;
mod errors;
mod explorer;
mod handle;
mod interventions;
mod loaded;
mod loading;
mod names;
mod notebook;
mod numbers;
mod options;
mod patching;
mod pool;
mod program;
mod proving;
mod questions;
mod recorded;
mod run;
mod scheduling;
mod searching;
mod tasks;
mod tested;
mod texts;
mod turing;
mod weights;

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
        handle::Program,
        loading::{load, restore, restore_run},
        names::layer_number,
        notebook::{pieces, static_diagnostics, test_names},
        run::{Run, merged_rows},
        searching::fill,
        tasks::{check_nfe, check_tgt, nfe, tgt},
        texts::{check, explain, fix, fmt, import_},
        turing::{run_turing, turing},
    };
}

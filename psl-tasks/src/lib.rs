//! Data and machines of the papers, and programs of the reference implementation.
//!
//! ```text
//! line      a prompt with its gold, as a line of a file
//! scoring   a program on such lines
//! tgt       templatic generation: makes and validates lines
//! nfe       nested function evaluation: the same
//! turing    Turing machines as programs, and their runs
//! import    programs and examples of the reference implementation
//! ```
//!
//! Invariant: this crate opens no files. Its callers pass in streams and random seeds.

pub mod import;
mod line;
pub mod nfe;
mod scoring;
pub mod tgt;
pub mod turing;

pub use line::{Line, LineFormat};
pub use scoring::{Scored, Subject};

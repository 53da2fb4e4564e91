//! Data and machines of the papers.
//!
//! ```text
//! line      a prompt with its gold, as a line of a file
//! tgt       templatic generation: makes and validates lines
//! nfe       nested function evaluation: the same
//! turing    Turing machines as programs, and their runs
//! ```
//!
//! Invariant: this crate opens no files. Its callers pass in streams and random seeds.

mod line;
pub mod nfe;
pub mod tgt;
pub mod turing;

pub use line::{Line, LineFormat};

//! QKVL: a program as query, key and value instructions, one layer per production (62)-(64), App. J.
//!
//! Names, shapes and spelling are those of the reference's JSON.

mod display;
mod program;
pub(crate) mod read;
pub(crate) mod words;
mod write;

pub use program::{Attributes, Block, Entries, Layer, Program, Repeat, Slots, Source, Term, Until, is_primed};
pub use psl_syntax::program::{CausalAttn, Function};
pub use read::error::ReadError;

pub(crate) use program::{layers, list_primed};

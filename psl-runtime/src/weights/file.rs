//! Weights as a safetensors file. `docs/weights.md` describes the format for other readers.
//!
//! | tensor                 | type and shape   | contents                                                |
//! |------------------------|------------------|---------------------------------------------------------|
//! | `layers.1.W_q`         | F32 [R d, R d]   | dense: the whole matrix, one row per component read     |
//! | `layers.1.W_q.indices` | I64 [2, entries] | sparse: row and column of each nonzero entry            |
//! | `layers.1.W_q.values`  | F32 \[entries\]  | sparse: these entries                                   |
//! | `layers.1.b_q`         | F32 [R d]        | the bias                                                |
//!
//! Each head, numbered in program order over all layers, has these tensors for q, k and v. Each repeat block that ends
//! by conditions has those for q and k, under `until.1`; repeat blocks are numbered in the order in which they open.
//! The entry `psl` of the metadata is a JSON document with everything that is not a number.

mod document;
mod model;
mod read;
mod write;

pub use document::document;
pub use model::Model;
pub use read::read;
pub use write::{Layout, size, write};

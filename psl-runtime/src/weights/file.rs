//! Weights as a safetensors file: what `docs/weights.md` says to those who read it elsewhere.
//!
//! | tensor             | type and shape    | holds                                                            |
//! |--------------------|-------------------|------------------------------------------------------------------|
//! | `layers.1.W_q`     | F32 [R d, R d]    | dense: the whole matrix, a row for each component read            |
//! | `layers.1.W_q.indices` | I64 [2, entries] | sparse: row and column of each entry that is not zero         |
//! | `layers.1.W_q.values`  | F32 \[entries\]  | sparse: these entries                                         |
//! | `layers.1.b_q`     | F32 [R d]         | the bias                                                         |
//!
//! Each layer, numbered in program order, has these tensors with `W_q` and `b_q`, with `W_k` and `b_k`, and with `W_v` and
//! `b_v`. Each repeat block that conditions end, numbered among all blocks in the order in which they open, has those of query
//! and key, under `until.1`. The metadata's entry `psl` is a
//! JSON document with everything that is no number.

mod document;
mod model;
mod read;
mod write;

pub use model::Model;
pub use read::read;
pub use write::{Layout, write};

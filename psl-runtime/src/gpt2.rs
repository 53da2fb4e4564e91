//! A program as a stock transformer: a checkpoint of GPT-2 with ReLU that the field's engines load unchanged, from the
//! weights and the proofs of causality alone.
//!
//! ```text
//! build(&Request)                     -> Files: what transformers loads, and what the parts mean
//! Checkpoint::read(&[CheckpointFile]) -> the model, which completes prompts by its own arithmetic
//! ```
#![allow(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]

mod attention;
mod block;
mod build;
mod cells;
mod check;
mod checkpoint;
mod checkpoint_error;
mod claims;
mod config;
mod construct;
mod encodings;
mod ends;
mod files;
mod forward;
mod layers;
mod layout;
mod liveness;
mod meaning;
mod model;
mod parameters;
mod plan;
mod precision;
mod refusal;
mod repeats;
mod source;
mod tables;
mod token_list;
mod tokens;
mod unembedding;

pub use build::{Request, build};
pub use checkpoint::{Checkpoint, Completion, Seen};
pub use checkpoint_error::CheckpointError;
pub use ends::End;
pub use files::CheckpointFile;
pub(crate) use files::MEANING;
pub use meaning::{BlockMeaning, Components, Meaning, RegisterMeaning};
pub use precision::Precision;
pub use refusal::{MAX_PARAMETERS, Refusal, Why};
pub use source::Bounds;

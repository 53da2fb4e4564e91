//! Compiler, machines and weights. `cargo test -p psl-runtime --test runtime golden::` runs the tests of one file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail by panic"
)]

mod ablating;
mod agreement;
mod changed_programs;
mod changing;
mod claims;
#[path = "../common/common.rs"]
mod common;
mod compiling;
mod decompiling;
mod defects;
mod embedding;
mod flow;
mod formatting;
#[path = "../../../tests/fuzz/checkpoints.rs"]
mod fuzz_checkpoints;
mod fuzz_corpus;
#[path = "../../../tests/fuzz/running.rs"]
mod fuzz_running;
mod golden;
mod gpt2;
mod heads;
mod hostile_checkpoints;
mod reading_qkvl;
mod recognizing;
mod recorded_run;
mod refactoring;
mod renaming;
mod running;
mod schedules;
mod sizes;
mod text_to_weights;
mod weighing;
mod weight_files;

//! Recorded runs and the debugger. `cargo test -p psl-debug --test record debugger::` runs the tests of one folder.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod breakpoints;
#[path = "../../../psl-runtime/tests/common/common.rs"]
mod common;
mod debugger;
mod full_trace;
mod latent;
mod numbers;
mod recorded_run;
mod seeds;

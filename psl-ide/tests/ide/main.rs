//! Editor features beyond one request. `cargo test -p psl-ide --test ide debugger::` runs the tests of one folder.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod breakpoints;
#[path = "../../../psl-runtime/tests/common/mod.rs"]
mod common;
mod config;
mod debugger;
mod file;
mod full_trace;
mod markdown;
mod recorded_run;

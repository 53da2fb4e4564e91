//! The debugger and its breakpoints. `cargo test -p psl-debug --test debug debugger::` runs the tests of one folder.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod breakpoints;
#[path = "../../../psl-runtime/tests/common/common.rs"]
mod common;
mod debugger;

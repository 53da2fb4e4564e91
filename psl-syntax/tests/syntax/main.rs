//! The analysis of texts. `cargo test -p psl-syntax --test syntax flow::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]
#![allow(clippy::needless_raw_string_hashes, reason = "all marked texts look alike")]

mod allowing;
mod beginners;
mod common;
mod diagnostics;
mod domains;
mod fixing;
mod flow;
mod format;
mod fuzz_corpus;
mod holes;
mod inputs;
mod look_alikes;
mod mutations;
mod page;
#[path = "../../../tests/fuzz/properties.rs"]
mod properties;
mod random;
mod refactoring;
mod reference_compat;
mod renaming;
mod rereading;
mod roles;
mod schedule;

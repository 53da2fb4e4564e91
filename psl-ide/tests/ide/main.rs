//! Editor features beyond one request. `cargo test -p psl-ide --test ide markdown::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod comments;
mod config;
mod file;
mod markdown;

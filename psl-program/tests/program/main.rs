//! A program as users see it, on random programs. `cargo test -p psl-program --test program latent::` runs the tests of
//! one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

#[path = "../../../psl-runtime/tests/common/common.rs"]
mod common;
mod latent;
mod laws;

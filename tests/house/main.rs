//! The rules of the house for code and texts. `cargo test --test house style::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod architecture;
mod circles;
mod copies;
mod dependencies;
mod dependency_page;
mod faults;
mod findings;
mod imports;
mod literals;
mod names;
mod protocol_values;
mod rust_uses;
mod skips;
mod source;
mod style;

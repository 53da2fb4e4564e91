//! Shared by the tests of the language server: a client of the built binary, and an editor's view of a text.

#![allow(dead_code, reason = "each test file uses some of it")]

pub mod client;
pub mod edits;
pub mod process;
pub mod questions;
pub mod text;
pub mod tokens;
pub mod variables;

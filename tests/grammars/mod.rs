//! What the tests of the grammars share.

#![allow(dead_code, reason = "each test file uses some of it")]

pub mod mutants;
pub mod programs;
pub mod table;
pub mod texts;

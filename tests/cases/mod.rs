//! Shared by the tests with files of answers: the cases of `tests/markers`, the marks in their texts, and the form of
//! the answers.

#![allow(dead_code, reason = "each test file uses some of it")]

pub mod case;
pub mod diff;
pub mod golden;
pub mod marked;
pub mod shown;

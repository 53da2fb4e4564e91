//! What the tests against files of answers share: the cases of `tests/markers`, how their texts are marked, and how answers
//! about a text are written.

#![allow(dead_code, reason = "each test file uses some of it")]

pub mod case;
pub mod diff;
pub mod golden;
pub mod marked;
pub mod shown;

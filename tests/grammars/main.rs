//! Helpers for the tests of the grammars.

#![allow(dead_code, reason = "each test file uses a part of this one")]

pub mod corpus;
pub mod mutants;
pub mod notation;
pub mod programs;
pub mod queries;
pub mod recognizer;
pub mod sentences;
pub mod table;
pub mod textmate;
pub mod texts;

//! What the tests of the grammars share.

#![allow(dead_code, reason = "each test file uses some of it")]

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

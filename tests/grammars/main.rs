//! The grammars for readers and editors. `cargo test --test grammars ebnf::` runs the tests of one file.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod book_grammar;
#[path = "../cases/mod.rs"]
mod cases;
mod colors;
mod corpus;
mod ebnf;
mod mutants;
mod notation;
mod programs;
mod queries;
mod recognizer;
mod sentences;
#[path = "../server/mod.rs"]
mod server;
mod table;
mod textmate;
mod texts;
mod tree_sitter;

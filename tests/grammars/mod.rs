//! What the tests of the grammars share.

pub mod table;

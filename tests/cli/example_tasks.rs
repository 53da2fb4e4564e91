//! The tasks of the examples as plain functions, with random prompts.

pub mod addition;
pub mod brackets;
pub mod double_histogram;
pub mod histogram;
pub mod most_frequent;
pub mod nested_evaluation;
pub mod parity;
pub mod reverse;
pub mod scan;
pub mod sort;
pub mod subleq;
mod symbols;
pub mod turing;

//! The tasks of the examples as plain functions, with random prompts.

pub mod double_histogram;
pub mod histogram;
pub mod most_frequent;
pub mod reverse;
pub mod scan;
pub mod sort;
mod symbols;

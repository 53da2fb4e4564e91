//! The tasks of the examples as plain functions, with random prompts.

pub mod scan;

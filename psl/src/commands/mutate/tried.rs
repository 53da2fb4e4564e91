//! The mutants of a program that were tried.

use psl_search::{Change, Example, Fate};

use super::score::Score;
use crate::input::program_file::ProgramFile;

/// The mutants of a program, each with its fate unless the search ended before.
pub struct Tried<'t> {
    pub source: &'t ProgramFile,
    pub data: &'t [Example],
    pub mutants: Vec<(Change, Option<Fate>)>,
    /// The indices of those that only a new prompt tells apart, the most different first.
    pub told_apart: Vec<usize>,
    pub score: Score,
    pub seconds: f64,
}
